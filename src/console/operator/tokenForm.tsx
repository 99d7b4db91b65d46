import { ask, enterBy } from '../client.ts';
import { NarrowPage } from '../frame.tsx';
import { text } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';

type TokenFormProps = {
  /** Why the token must be entered again. */
  readonly reason: string | undefined;
  readonly entered: (token: string) => void;
};

/** Asks for the token of an operator, and tries it. */
export function TokenForm({ reason, entered }: TokenFormProps) {
  return (
    <NarrowPage title="Operator">
      <Form
        className="panel form"
        submit="Continue"
        problem={reason}
        fields={{
          token: text('Operator token', {
            hint: 'VITRINE_OPERATOR_TOKEN of the service, or the token of an operator with a name.',
            type: 'password',
            missing: 'Enter the token of an operator.',
          }),
        }}
        send={async ({ token }) => {
          enterBy('operator', { token, closed: () => {} });
          await ask('listImports', { pageSize: 1 });
          entered(token);
        }}
        fieldOf={({ status }) => (status === 401 || status === 403 ? 'token' : undefined)}
      >
        <p class="muted small">
          The token stays in the memory of this page. It is not stored: reload or close the page,
          and it is gone.
        </p>
      </Form>
    </NarrowPage>
  );
}
