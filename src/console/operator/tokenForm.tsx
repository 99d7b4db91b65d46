import { useState } from 'preact/hooks';
import { ask, enterBy } from '../client.ts';
import { Field, FormError, SubmitButton } from '../forms.tsx';
import { NarrowPage } from '../frame.tsx';
import { useForm } from '../submit.ts';

type TokenFormProps = {
  /** Why the token is asked for once more. */
  readonly reason: string | undefined;
  readonly entered: (token: string) => void;
};

/** Asks for the token of an operator, and tries it. */
export function TokenForm({ reason, entered }: TokenFormProps) {
  const [token, setToken] = useState('');
  const { errors, isBusy, refOf, submit } = useForm<'token'>({
    check: () => ({ token: token.trim() === '' ? 'Enter the token of an operator.' : undefined }),
    async send() {
      enterBy('operator', { token: token.trim(), closed: () => {} });
      await ask('listImports', { pageSize: 1 });
      entered(token.trim());
    },
    fieldOf: ({ status }) => (status === 401 || status === 403 ? 'token' : undefined),
  });
  return (
    <NarrowPage title="Operator">
      <form class="panel form" onSubmit={submit} noValidate>
        <FormError text={errors.form ?? reason} />
        <Field
          label="Operator token"
          hint="VITRINE_OPERATOR_TOKEN of the service, or the token of an operator with a name."
          type="password"
          name="token"
          autocomplete="off"
          value={token}
          onValue={setToken}
          error={errors.token}
          inputRef={refOf('token')}
        />
        <SubmitButton isBusy={isBusy}>Continue</SubmitButton>
        <p class="muted small">
          The token stays in the memory of this page. It is not stored: reload or close the page,
          and it is gone.
        </p>
      </form>
    </NarrowPage>
  );
}
