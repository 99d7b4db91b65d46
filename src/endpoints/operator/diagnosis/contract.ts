/** The diagnosis of the service. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, OrNull } from '../../../contract/records.ts';
import { OneOf } from '../../../contract/shapes.ts';

/** Examine the service. */
export const diagnose = contract({
  operation: 'diagnose',
  access: 'operator',
  method: 'GET',
  path: '/operator/diagnosis',
  summary: 'Examine the service',
  description:
    'Looks at configuration, stores, disk, clocks and versions, and says what to do about what is not well. It changes nothing.',
  answer: Type.Object({
    state: OneOf(['well', 'warning', 'failed'], { description: 'The worst of the findings.' }),
    /** Lets a caller compare its clock. */
    at: Instant('The time of the service.'),
    findings: Type.Array(
      Type.Object({
        subject: Type.String({ description: 'What was looked at, such as registry or disk.' }),
        state: OneOf(['well', 'warning', 'failed']),
        finding: Type.String({ description: 'What was seen.' }),
        advice: OrNull(
          Type.String({ description: 'What to do; null where nothing has to be done.' }),
        ),
      }),
    ),
  }),
});
