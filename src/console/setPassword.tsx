import { useCallback, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAccount } from './account.tsx';
import { type Answer, ask } from './client.ts';
import { Username } from './forms.tsx';
import { NarrowPage } from './frame.tsx';
import { code, password, unseen } from './parts/fields.tsx';
import { Form } from './parts/form.tsx';
import { Failed } from './parts/panel.tsx';
import { Refused } from './refused.ts';
import { Property } from './settings/property.tsx';
import { inMoment, zone } from './words.ts';

type Link = Answer<'readPasswordLink'>;

const tokenLengthMax = 100;

/**
 * Sets a password with an invitation or reset link. Its token follows #, so that browsers never
 * send it with the address.
 */
export function SetPassword() {
  const [token, setToken] = useState(tokenOfAddress);
  useEffect(() => {
    // Following another link in this window only changes the part after #.
    const read = () => setToken(tokenOfAddress());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return <ByToken key={token} token={token} />;
}

function tokenOfAddress(): string {
  return location.hash.slice(1);
}

function ByToken({ token }: { token: string }) {
  const [link, setLink] = useState<Link>();
  const [refused, setRefused] = useState<Refused>();
  const read = useCallback(() => {
    setRefused(undefined);
    if (token === '' || token.length > tokenLengthMax) setRefused(new Refused(404, ''));
    else ask('readPasswordLink', { token }).then(setLink, setRefused);
  }, [token]);
  useEffect(read, [read]);

  if (refused?.status === 404 || refused?.status === 400) return <DeadLink />;
  if (refused !== undefined) {
    return (
      <NarrowPage title="Choose a password">
        <Failed problem={refused} name="this link" retry={read} />
      </NarrowPage>
    );
  }
  if (link === undefined) return <div aria-busy="true" />;
  return <ChoosePassword token={token} link={link} refuse={setRefused} />;
}

function DeadLink() {
  return (
    <NarrowPage title="This link does not work">
      <div class="panel message">
        <p>
          It has already been used, has expired or is incomplete. A link works once, and a newer
          link replaces it.
        </p>
        <p>
          If you copied it from a message, check that you copied all of it. Otherwise, ask the
          operator of this service for a new link.
        </p>
        <p>
          <a class="button" href="/console/sign-in">
            Sign in with your password
          </a>
        </p>
      </div>
    </NarrowPage>
  );
}

type ChooseProps = {
  readonly token: string;
  readonly link: Link;
  readonly refuse: (refused: Refused) => void;
};

function ChoosePassword({ token, link, refuse }: ChooseProps) {
  const { begin } = useAccount();
  const { route } = useLocation();
  const [asksCode, setAsksCode] = useState(false);
  const isInvitation = link.purpose === 'invitation';
  return (
    <NarrowPage title={isInvitation ? 'Welcome to Vitrine' : 'Choose a new password'}>
      <Form
        className="panel form"
        submit="Set password and sign in"
        lead={<LinkFacts link={link} isInvitation={isInvitation} />}
        fields={{
          newPassword: password({ label: 'New password', isNew: true, hasFocus: true }),
          code: asksCode ? code('Enter the code of your authenticator app.') : unseen(''),
        }}
        send={async ({ newPassword, code: entered }) => {
          try {
            const input = { token, newPassword, ...(asksCode && { code: entered }) };
            begin(await ask('usePasswordLink', input));
            route('/console/overview', true);
          } catch (error) {
            if ((error as Refused).needsCode) setAsksCode(true);
            if ((error as Refused).status === 404) refuse(error as Refused);
            else throw error;
          }
        }}
        fieldOf={({ status, needsCode }) =>
          needsCode ? 'code' : status === 400 ? 'newPassword' : undefined
        }
      />
    </NarrowPage>
  );
}

type FactsProps = { readonly link: Link; readonly isInvitation: boolean };

function LinkFacts({ link: { email, organisation, expiresAt }, isInvitation }: FactsProps) {
  return (
    <>
      <p>
        {isInvitation ? (
          <>
            <strong>{organisation}</strong> has invited you. Choose a password to sign in with.
          </>
        ) : (
          <>Setting a new password signs you out everywhere else.</>
        )}
      </p>
      <dl class="properties">
        <Property name="E-mail address">{email}</Property>
        <Property name="Organisation">{organisation}</Property>
        <Property name="Link expires">
          {inMoment(expiresAt)} <span class="muted">({zone})</span>
        </Property>
      </dl>
      <Username email={email} />
    </>
  );
}
