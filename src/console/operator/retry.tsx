/** Imports a refused document again, with the options that the refusal proposes. */
import { useState } from 'preact/hooks';
import { Field, Select } from '../forms.tsx';
import { fieldsIn, type OptionValues } from './importOptions.ts';

type RetryProps = {
  readonly refusal: string;
  /** The options that the import had. */
  readonly given: OptionValues;
  readonly retry: (options: OptionValues) => void;
};

/** The fields of the options, if the refusal proposes any or the import had some. */
export function Retry({ refusal, given, retry }: RetryProps) {
  const fields = fieldsIn(refusal, given);
  const [values, setValues] = useState<OptionValues>(() =>
    Object.fromEntries(fields.map(({ parameter, value }) => [parameter, value])),
  );
  if (fields.length === 0) return null;
  const set = (parameter: string, value: string) => {
    const isFirst = parameter === 'from' && !values.to;
    setValues({ ...values, [parameter]: value, ...(isFirst && { to: value }) });
  };
  const chosen = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  return (
    <form
      class="retry"
      onSubmit={(event) => {
        event.preventDefault();
        retry(chosen);
      }}
    >
      {fields.map(({ parameter, name, choices }) =>
        choices === undefined ? (
          <Field
            key={parameter}
            label={name}
            name={parameter}
            type="date"
            autocomplete="off"
            isOptional
            value={values[parameter] ?? ''}
            onValue={(value) => set(parameter, value)}
          />
        ) : (
          <Select
            key={parameter}
            label={name}
            value={values[parameter] ?? ''}
            options={[{ id: '', name: 'Not chosen' }, ...choices]}
            onValue={(value) => set(parameter, value)}
          />
        ),
      )}
      <button type="submit" class="control" disabled={Object.keys(chosen).length === 0}>
        Import again
      </button>
    </form>
  );
}
