import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { Id, Instant, OrNull } from '../../contract/records.ts';
import { List, NoAnswer, OneOf, pageFields, Text } from '../../contract/shapes.ts';
import {
  deliveryStates,
  subscribedEvents,
  webhookEvents,
  webhookStates,
} from '../../contract/webhooks.ts';

const urlLengthMax = 2_000;
const descriptionLengthMax = 200;
const graceSecondsDefault = 86_400;
const graceSecondsMax = 7 * 86_400;

const eventWords = subscribedEvents.map((event) => `\`${event}\`: ${webhookEvents[event]}`);

const Url = Text({
  maxLength: urlLengthMax,
  trimmed: true,
  examples: ['https://example.com/hooks/vitrine'],
  description: 'Where events are sent to: an https address that the internet can reach.',
});
const Description = Type.String({
  maxLength: descriptionLengthMax,
  trimmed: true,
  description: 'What the webhook is for; shown beside it.',
});
const Events = List(OneOf(subscribedEvents), {
  minItems: 1,
  maxItems: subscribedEvents.length,
  description: `The events that the webhook hears of. ${eventWords.join(' ')}`,
});
const Secret = Type.String({
  description: 'The secret that deliveries are signed with. No other answer contains it.',
});
const DeliveryId = Type.String({ description: 'Identifier of the delivery.' });

const Webhook = Type.Object(
  {
    webhookId: Type.String({ description: 'Identifier of the webhook.' }),
    url: Type.String({ description: 'Where events are sent to.' }),
    description: Type.String({ description: 'What the webhook is for.' }),
    events: Type.Array(Type.String(), { description: 'The events that it hears of.' }),
    state: OneOf([...webhookStates], {
      description:
        'enabled, paused by a user, or disabled by the service because deliveries failed for long.',
    }),
    reason: OrNull(Type.String(), { description: 'Why it is disabled.' }),
    failingSince: OrNull(Instant('Since when no delivery has succeeded.')),
    createdBy: Type.String({
      description: 'E-mail address of its user: it hears only of channels that this user reaches.',
    }),
    createdAt: Instant('When it was created.'),
    updatedAt: Instant('When it was last changed.'),
    previousSecretUntil: OrNull(
      Instant('Until when deliveries are signed with the previous secret too.'),
    ),
  },
  { component: 'Webhook' },
);

const webhookPath = Type.Object({ webhookId: Id('webhook') });
const who =
  'Owners and administrators manage the webhooks of their organisation; those whose channels are ' +
  'restricted, only their own.';

/** POST /webhooks */
export const createWebhook = contract({
  operation: 'createWebhook',
  access: 'key',
  method: 'POST',
  path: '/webhooks',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Create a webhook',
  description:
    'Has events sent to an address, signed by the [Standard ' +
    'Webhooks](https://www.standardwebhooks.com) with the secret of this answer. A webhook hears ' +
    `only of channels that its user reaches. ${who}`,
  body: Type.Object({
    url: Url,
    events: Events,
    description: Text({ ...Description, minLength: 0, default: '' }),
  }),
  idempotencyKey: true,
  personal: true,
  example: { url: 'https://hooks.northwind.example/imports', events: ['import.refused'] },
  answer: Type.Object({ webhookId: Type.String(), secret: Secret }),
});

/** GET /webhooks */
export const listWebhooks = contract({
  operation: 'listWebhooks',
  access: 'key',
  method: 'GET',
  path: '/webhooks',
  needs: 'webhooks:read',
  audience: 'managers',
  summary: 'List webhooks',
  description: `Newest first, without their secrets. ${who}`,
  query: Type.Object(pageFields),
  personal: true,
  example: { pageSize: 10 },
  answer: Type.Object({
    webhooks: Type.Array(Webhook),
    total: Type.Integer({ description: 'Number of webhooks on all pages together.' }),
  }),
});

/** PATCH /webhooks/{webhookId} */
export const changeWebhook = contract({
  operation: 'changeWebhook',
  access: 'key',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Change a webhook',
  description:
    'Absent fields stay unchanged. Deliveries that wait go to the new address. While a webhook is ' +
    'paused it hears of nothing, and deliveries that waited are dropped; they can be replayed.',
  pathParameters: webhookPath,
  body: Type.Object({
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    state: Type.Optional(
      OneOf(['enabled', 'paused'], {
        description: 'paused stops it; enabled starts it again, also after it was disabled.',
      }),
    ),
  }),
  idempotencyKey: true,
  personal: true,
  example: { webhookId: 'northwind-warehouse', events: ['report.finished', 'report.failed'] },
  answer: Webhook,
});

/** DELETE /webhooks/{webhookId} */
export const deleteWebhook = contract({
  operation: 'deleteWebhook',
  access: 'key',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Delete a webhook',
  description: 'Its deliveries are deleted with it; none is sent any more.',
  pathParameters: webhookPath,
  example: { webhookId: 'northwind-old' },
  answer: NoAnswer,
});

/** POST /webhooks/{webhookId}/rotate */
export const rotateWebhookSecret = contract({
  operation: 'rotateWebhookSecret',
  access: 'key',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Rotate the secret of a webhook',
  description:
    'Makes a new secret. For graceSeconds deliveries carry two signatures, by the new secret and ' +
    'by the one before, so that receivers can change at their own time.',
  pathParameters: webhookPath,
  body: Type.Object({
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: graceSecondsMax,
      default: graceSecondsDefault,
      description: 'How long the previous secret signs too; 0 ends it at once.',
    }),
  }),
  idempotencyKey: true,
  personal: true,
  example: { webhookId: 'northwind-warehouse', graceSeconds: 3_600 },
  answer: Type.Object({
    secret: Secret,
    previousSecretUntil: Instant('Until when deliveries are signed with the previous secret too.'),
  }),
});

/** POST /webhooks/{webhookId}/test */
export const testWebhook = contract({
  operation: 'testWebhook',
  access: 'key',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Send a test to a webhook',
  description:
    'Sends the event webhook.ping, about the first channel within reach. The list of deliveries ' +
    'shows what came of it. Status 409 while the webhook is not enabled or reaches no channel.',
  pathParameters: webhookPath,
  idempotencyKey: true,
  example: { webhookId: 'northwind-alerts' },
  answer: Type.Object({ deliveryId: DeliveryId }),
});

/** GET /webhooks/{webhookId}/deliveries */
export const listWebhookDeliveries = contract({
  operation: 'listWebhookDeliveries',
  access: 'key',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  needs: 'webhooks:read',
  audience: 'managers',
  summary: 'List the deliveries of a webhook',
  description:
    'The deliveries of the last 30 days about channels within reach, newest first. A delivery is ' +
    'tried for a day, ever less often, until an answer has a status of 200 to 299.',
  pathParameters: webhookPath,
  query: Type.Object({
    state: Type.Optional(
      OneOf([...deliveryStates], { description: 'Only deliveries in this state.' }),
    ),
    ...pageFields,
  }),
  personal: true,
  example: { webhookId: 'northwind-alerts', state: 'delivered' },
  answer: Type.Object({
    deliveries: Type.Array(
      Type.Object(
        {
          deliveryId: DeliveryId,
          messageId: Type.String({
            description:
              'The header webhook-id: the same for all attempts and replays of an event.',
          }),
          event: Type.String({ description: 'The event.' }),
          channelId: Type.String({ description: 'The channel that it is about.' }),
          body: Type.String({ description: 'The JSON that is sent.' }),
          state: OneOf([...deliveryStates], {
            description:
              'waiting, delivered, failed for good, or dropped because the webhook may not hear of it any more.',
          }),
          attempts: Type.Integer({ description: 'Attempts so far.' }),
          nextAt: OrNull(Instant('When the next attempt is due.')),
          status: OrNull(Type.Integer(), { description: 'The status of the last answer.' }),
          error: OrNull(Type.String(), { description: 'Why the last attempt failed.' }),
          createdAt: Instant('When the event happened or was replayed.'),
          finishedAt: OrNull(Instant('When it was delivered, failed for good or was dropped.')),
        },
        { component: 'WebhookDelivery' },
      ),
    ),
    total: Type.Integer({ description: 'Number of deliveries on all pages together.' }),
  }),
});

/** POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay */
export const replayWebhookDelivery = contract({
  operation: 'replayWebhookDelivery',
  access: 'key',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  needs: 'webhooks:write',
  audience: 'managers',
  summary: 'Replay a delivery',
  description:
    'Sends the event again, with the same webhook-id and body and a new signature. Status 409 ' +
    'while the delivery still waits or the webhook is not enabled.',
  pathParameters: Type.Object({ webhookId: Id('webhook'), deliveryId: Id('delivery') }),
  idempotencyKey: true,
  example: { webhookId: 'northwind-alerts', deliveryId: 'northwind-delivery-1' },
  answer: Type.Object({ deliveryId: DeliveryId }),
});
