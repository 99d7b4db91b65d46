/** The page of operators: what to repair, imports, jobs, channels, organisations, users, keys, audit. */
import { useCallback, useState } from 'preact/hooks';
import { useAddress } from '../view/address.ts';
import { AccessProvider } from './access.tsx';
import { Attention } from './attention.tsx';
import { Audit } from './audit.tsx';
import { Channels } from './channels.tsx';
import { OperatorFrame } from './frame.tsx';
import { Imports } from './imports.tsx';
import { Jobs } from './jobs.tsx';
import { Keys } from './keys.tsx';
import { Organisations } from './organisations.tsx';
import { type SectionId, sectionOf } from './sections.ts';
import { TokenForm } from './tokenForm.tsx';
import { Users } from './users.tsx';

const contents: Readonly<Record<SectionId, () => preact.JSX.Element>> = {
  attention: Attention,
  imports: Imports,
  jobs: Jobs,
  channels: Channels,
  organisations: Organisations,
  users: Users,
  keys: Keys,
  audit: Audit,
};

/** Asks for the token of an operator, then shows the section of the address. */
export function OperatorConsole() {
  const [token, setToken] = useState<string>();
  const [reason, setReason] = useState<string>();
  const { params } = useAddress();
  const leave = useCallback((why?: string) => {
    setToken(undefined);
    setReason(why);
  }, []);
  if (token === undefined) return <TokenForm reason={reason} enter={setToken} />;
  const section = sectionOf(params);
  const Content = contents[section.id];
  return (
    <AccessProvider token={token} leave={leave}>
      <OperatorFrame section={section}>
        <Content key={section.id} />
      </OperatorFrame>
    </AccessProvider>
  );
}
