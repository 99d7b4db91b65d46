/** The diagnosis of the service. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, OrNull } from '../../../contract/records.ts';
import { OneOf } from '../../../contract/shapes.ts';

/** Diagnose the service. */
export const diagnose = contract({
  operation: 'diagnose',
  access: 'operator',
  method: 'GET',
  path: '/operator/diagnosis',
  summary: 'Diagnose the service',
  description:
    'Examines configuration, stores, disk, clocks and versions, and advises on problems. It changes nothing.',
  answer: Type.Object({
    state: OneOf(['well', 'warning', 'failed'], { description: 'The worst of the findings.' }),
    at: Instant('The time of the service.'),
    findings: Type.Array(
      Type.Object({
        subject: Type.String({
          description: 'The part that was examined, such as registry or disk.',
        }),
        state: OneOf(['well', 'warning', 'failed']),
        finding: Type.String({ description: 'The finding.' }),
        advice: OrNull(Type.String({ description: 'Advice; null when nothing needs to be done.' })),
      }),
    ),
  }),
});
