/** The operations that the key of a webhook must allow, so that it hears of an event. */
import type { Granted } from '../contract/grants.ts';
import type { WebhookEvent } from '../contract/webhooks.ts';

const subscribing: Granted = { operation: 'createWebhook', needs: 'webhooks:write' };

const ofReports: Granted = { operation: 'readReportStatus', needs: 'reports:read' };
const ofChannels: Granted = { operation: 'listChannels', needs: 'channels:read' };
const ofRuns: Granted = { operation: 'listScheduleRuns', needs: 'schedules:read' };

/** The operation that answers the subject of an event. */
const tellers: Readonly<Record<WebhookEvent, Granted>> = {
  'report.finished': ofReports,
  'report.failed': ofReports,
  'import.finished': ofChannels,
  'import.refused': ofChannels,
  'data.overdue': ofChannels,
  'target.at_risk': { operation: 'readTargets', needs: 'targets:read' },
  'schedule.finished': ofRuns,
  'schedule.failed': ofRuns,
  'webhook.disabled': subscribing,
  'webhook.ping': subscribing,
};

/** The operations that the key of a webhook calls to hear of an event. */
export function callsOfWebhook(event: WebhookEvent): Granted[] {
  return [subscribing, tellers[event]];
}
