/** The page of webhooks, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { assertGood, onSite } from '../browser.ts';
import { type Tenant, until } from '../harness.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { makePerson } from '../visitors.ts';
import { figuresIn, signedIn } from './views.ts';

onSite('the page of webhooks', {}, (site) => {
  let tenant: Tenant;
  let email: string;
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
    // Deliveries go by the clock of the system.
    site.world.clock.now = Date.now();
    tenant = await site.world.tenant();
    ({ email } = await makePerson(site.world, tenant.organisationId));
  });
  after(async () => {
    await receiver?.close();
  });

  const rowsOf = (page: Page, name: string) =>
    figuresIn(page.getByRole('region', { name: `${name}, table`, exact: true }), 'tbody tr');
  const act = (page: Page, name: string) =>
    page.getByRole('button', { name: `${name}: ${receiver.url}` }).click();
  const secretOn = async (page: Page) => {
    const shown = page.getByText('Keep this secret').locator('code');
    await shown.waitFor();
    return await shown.innerText();
  };
  /** The secrets that a delivery was signed with, of these. */
  const signers = (place: number, secrets: readonly string[]) => {
    const { body, headers } = receiver.arrived[place]!;
    return secrets.filter((secret) => {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch {
        return false;
      }
    });
  };

  test('one is created, tested, rotated, paused and deleted; its deliveries are replayed', async () => {
    const { page } = await signedIn(site, email, '/console/settings/webhooks', 'Webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByLabel('Address').fill('nowhere');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Enter an address that begins with').waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Description').fill('Warehouse');
    await page.getByLabel('Data is overdue').uncheck();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const first = await secretOn(page);
    const { webhooks } = (await site.world.ask(tenant.key, 'GET', '/webhooks')).body;
    assert.equal(webhooks.length, 1);
    const [{ webhookId, events, description }] = webhooks;
    assert.equal(description, 'Warehouse');
    assert.ok(!events.includes('data.overdue') && events.includes('import.refused'));

    await act(page, 'Test');
    await until(() => receiver.arrived.length === 1);
    assert.deepEqual(signers(0, [first]), [first]);
    const deliveries = `/webhooks/${webhookId}/deliveries`;
    const delivered = async (count: number) => {
      const { body } = await site.world.ask(tenant.key, 'GET', `${deliveries}?state=delivered`);
      return body.total === count;
    };
    await until(() => delivered(1));
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('webhook.ping').first().waitFor();
    const [row] = await rowsOf(page, 'Deliveries');
    assert.deepEqual(row!.slice(0, 1), ['webhook.ping']);
    assert.match(row![1]!, /^Delivered\s*1 attempt$/);
    assert.equal(row![2], tenant.channelId);
    await assertGood(page, 'webhooks with deliveries', 'all');

    await act(page, 'Rotate secret');
    await page.getByText('Secret rotated.').waitFor();
    const second = await secretOn(page);
    assert.notEqual(second, first);
    await page.getByRole('button', { name: 'Replay webhook.ping' }).click();
    await until(() => receiver.arrived.length === 2);
    assert.deepEqual(signers(1, [first, second]), [first, second]);
    assert.equal(receiver.arrived[1]!.body, receiver.arrived[0]!.body);
    await until(() => delivered(2));

    await act(page, 'Pause');
    await page.getByText('Paused').waitFor();
    await page
      .getByRole('button', { name: 'Replay webhook.ping' })
      .first()
      .waitFor({ state: 'detached' });
    await act(page, 'Delete');
    await act(page, 'Delete for good');
    await page.getByText('No webhooks yet').waitFor();
    assert.equal((await site.world.ask(tenant.key, 'GET', '/webhooks')).body.total, 0);
  });
});
