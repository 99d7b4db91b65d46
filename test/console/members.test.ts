/** Sessions, passwords, two-step sign-in and members are changed on the settings pages, also by the keyboard alone. */
import assert from 'node:assert/strict';
import { assertFocusSeen, assertGood, focused, tabPress, tabTo } from '../browser.ts';
import { deepTest } from '../level.ts';
import { codeAt } from '../secondFactor.ts';
import { password, visit as visitWithoutBrowser } from '../visitors.ts';
import {
  arrive,
  assertRefused,
  auditOf,
  button,
  enter,
  field,
  forgive,
  issueKey,
  minute,
  onAccountPages,
  person,
  send,
  signInAtPage,
  title,
} from './people.ts';

onAccountPages('the settings of people', {}, (site) => {
  deepTest('sessions are listed, and an ended one returns to its page after sign-in', async () => {
    const somebody = await person(site);
    const first = await arrive(site, somebody.email, '/console/settings/security', {
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    site.world.clock.now += minute;
    const second = await site.visit();
    await signInAtPage(second.page, somebody.email);
    await second.page.getByRole('link', { name: 'Security' }).click();
    const entries = second.page.locator('.sessions li');
    await entries.nth(1).waitFor();
    const texts = await entries.allInnerTexts();
    assert.equal(texts.length, 2);
    assert.match(texts[0]!, /^Chrome on Linux.*This browser/s);
    assert.match(texts[1]!, /^Firefox on Windows/);
    await assertGood(second.page, 'security');

    const end = second.page.getByRole('button', { name: /^End the session of Firefox on Windows/ });
    site.world.clock.now += 15 * minute;
    await end.press('Enter');
    const asking = second.page.getByRole('dialog', { name: 'Enter your password' });
    await assertGood(second.page, 'the password before a session ends', 'some');
    await field(asking, 'Password').fill(password);
    await second.page.keyboard.press('Enter');
    forgive(second, /403/);
    await second.page.getByText('The session of Firefox on Windows has ended.').waitFor();
    await assertFocusSeen(second.page);
    await second.page.getByText('You are not signed in anywhere else.').waitFor();
    await field(first.page, 'Current password').fill(password);
    await field(first.page, 'New password').fill('a password of my own');
    await button(first.page, 'Change password').click();
    await title(first.page, 'Sign in').waitFor();
    const said = 'Your session has ended. Sign in to continue where you left off.';
    await first.page.getByText(said).waitFor();
    await assertGood(first.page, 'sign-in after the session has ended', 'narrow');
    await enter(first.page, somebody.email);
    await title(first.page, 'Security').waitFor();

    await second.page.reload();
    await button(second.page, 'End all other sessions (1)').click();
    await second.page.getByText('All other sessions have ended.').waitFor();
    await first.page.reload();
    await title(first.page, 'Sign in').waitFor();
  });

  deepTest('a change of the password ends the other sessions and the old password', async () => {
    const somebody = await person(site);
    const other = await arrive(site, somebody.email);
    const { page } = await arrive(site, somebody.email, '/console/settings/security');
    await button(page, 'Change password').click();
    await assertRefused(page, field(page, 'Current password'), 'Enter your current password.');
    await field(page, 'Current password').fill('a wrong password');
    await field(page, 'New password').fill('a password of my own');
    await button(page, 'Change password').click();
    await assertRefused(page, field(page, 'Current password'), /the password is wrong/i);
    await assertGood(page, 'a wrong current password', 'narrow');
    await field(page, 'Current password').fill(password);
    await button(page, 'Change password').click();
    await page.getByText('Password changed.').waitFor();
    await assertGood(page, 'a changed password', 'narrow');
    await other.page.reload();
    await enter(other.page, somebody.email);
    const wrong = other.page.getByText(/password is wrong/i);
    await wrong.first().waitFor();
    await enter(other.page, somebody.email, 'a password of my own');
    await title(other.page, 'API').waitFor();
    const actions = (await auditOf(site, somebody.userId)).map(({ action }) => action);
    const refusals = ['refuseSignIn', 'refusePassword'];
    const signedIn = ['signIn', 'changePassword', 'signIn', 'signIn', 'createUser'];
    assert.deepEqual(actions, [...refusals, ...signedIn]);
  });

  deepTest('two-step sign-in is turned on by a code, required, and turned off', async () => {
    const somebody = await person(site);
    const { page } = await arrive(site, somebody.email, '/console/settings/security');
    const factor = page.getByRole('region', { name: 'Two-step sign-in' });
    const turnOn = factor.getByRole('button', { name: 'Turn on two-step sign-in' });
    await turnOn.click();
    await assertRefused(page, field(page, 'Your password'), 'Enter your current password.');
    await field(page, 'Your password').fill(password);
    await turnOn.click();
    const secret = (await factor.locator('code').innerText()).replaceAll(' ', '');
    await field(page, 'Code').fill('000000');
    await button(page, 'Confirm the code').click();
    await assertRefused(page, field(page, 'Code'), /the code is wrong/i);
    await assertGood(page, 'a second factor to confirm', 'some');
    await field(page, 'Code').fill(codeAt(secret, site.world.clock.now));
    await button(page, 'Confirm the code').click();
    await factor.getByText('10 recovery codes left').waitFor();
    const [recoveryCode = ''] = await factor.locator('li code').allInnerTexts();
    await assertGood(page, 'recovery codes', 'some');

    const other = await site.visit();
    await other.page.goto('/console/sign-in');
    await enter(other.page, somebody.email);
    await assertRefused(other.page, field(other.page, 'Code'), /enter the code/i);
    await assertGood(other.page, 'a code at sign-in', 'some');
    await field(other.page, 'Code').fill(recoveryCode);
    await button(other.page, 'Sign in').click();
    await title(other.page, 'Overview').waitFor();
    await page.reload();
    await factor.getByText('9 recovery codes left').waitFor();
    await button(page, 'Turn off').click();
    await field(page, 'Your password').fill(password);
    await factor.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
    await turnOn.waitFor();
    await field(page, 'Current password').fill(password);
    await field(page, 'New password').fill('password1234');
    await button(page, 'Change password').click();
    await assertRefused(page, field(page, 'New password'), /The new password is too easy to guess/);
  });

  deepTest('an owner invites, changes and removes a member, by password if due', async () => {
    const { world } = site;
    const somebody = await person(site);
    const { organisationId } = somebody;
    await world.channel(organisationId, 'members-de', { displayName: 'Germany' });
    await world.channel(organisationId, 'members-us', { displayName: 'America' });
    const visit = await arrive(site, somebody.email, '/console/settings/members');
    const { page } = visit;
    await button(page, 'Invite a member').click();
    const dialog = page.getByRole('dialog', { name: 'Invite a member' });
    await button(dialog, 'Make the invitation').click();
    await assertRefused(page, field(dialog, 'E-mail address'), 'Enter an e-mail address.');
    await field(dialog, 'E-mail address').fill('ann.lee@example.com');
    await field(dialog, 'Name').fill('Ann Lee');
    await dialog.getByRole('checkbox', { name: /Germany/ }).check();
    await assertGood(page, 'the form of an invitation', 'some');
    world.clock.now += 15 * minute;
    await button(dialog, 'Make the invitation').click();
    const asking = page.getByRole('dialog', { name: 'Enter your password' });
    await field(asking, 'Password').fill(password);
    await button(asking, 'Continue').click();
    forgive(visit, /403/);
    const invitation = page.getByRole('region', { name: 'The invitation', exact: true });
    const token = (await invitation.locator('code').innerText()).split('#')[1];
    await page.getByText(/^Invited until/).waitFor();
    const stranger = visitWithoutBrowser(world);
    const newPassword = 'violet anchors hum quietly';
    const used = await stranger.ask('PUT', '/account/passwordLink', { token, newPassword });
    assert.deepEqual([used.status, used.body.name], [200, 'Ann Lee']);
    await assertGood(page, 'the members', 'all');

    await button(page, 'Change: ann.lee@example.com').click();
    const form = page.getByRole('dialog', { name: 'Change Ann Lee' });
    assert.ok(await form.getByRole('checkbox', { name: /Germany/ }).isChecked());
    await field(form, 'Role').selectOption('administrator');
    await form.getByRole('radio', { name: 'All, present and future' }).check();
    await button(form, 'Save').click();
    await form.waitFor({ state: 'detached' });
    const row = page.locator('tr', { hasText: 'ann.lee@example.com' });
    await row.getByText('Administrator').waitFor();
    const found = await world.operate('GET', `/operator/users/${used.body.userId}`);
    assert.deepEqual([found.role, found.channelIds], ['administrator', 'all']);

    await button(page, 'Remove: ann.lee@example.com').press('Enter');
    await button(page, 'Remove the member').press('Enter');
    await row.waitFor({ state: 'detached' });
    assert.equal((await stranger.ask('GET', '/account/session')).status, 401);
  });

  deepTest('users name themselves and see their reach; members see no members', async () => {
    const somebody = await person(site, {}, { role: 'member' });
    const { page } = await arrive(site, somebody.email, '/console/settings/profile');
    await page.getByText('You reach no stores yet').waitFor();
    await field(page, 'Name').fill('Zoë Ó Briain');
    await button(page, 'Save the name').click();
    await page.getByText('Name saved.').waitFor();
    await page.locator('.sidebar').getByText('Zoë Ó Briain').waitFor();
    await assertGood(page, 'the profile', 'all');
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['API', 'Profile', 'Security']);
    await page.goto('/console/settings/members');
    await page.getByText('Only owners and administrators see the members').waitFor();
    await assertGood(page, 'the members for members', 'narrow');
  });

  deepTest('all works with the keyboard alone, and the focus is always visible', async () => {
    const somebody = await person(site);
    const { key } = await issueKey(site, somebody);
    await send(site, key, '/channels');
    const { page } = await site.visit({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 600 },
    });
    const { keyboard } = page;
    await page.goto('/console/settings/api');
    await title(page, 'Sign in').waitFor();
    await focused(field(page, 'E-mail address'));
    await tabPress(page, page.getByRole('link', { name: 'Skip to content' }), 'Enter', 'Shift+Tab');
    await tabTo(page, field(page, 'E-mail address'));
    await keyboard.type(somebody.email);
    await tabTo(page, field(page, 'Password'));
    await keyboard.type('a wrong password');
    await keyboard.press('Enter');
    const wrong = page.getByText(/password is wrong/i);
    await wrong.first().waitFor();
    await assertFocusSeen(page);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await title(page, 'API').waitFor();
    await focused(title(page, 'API'));

    site.world.clock.now += 15 * minute;
    const reveal = button(page, 'Reveal');
    const dialog = page.getByRole('dialog');
    await tabPress(page, reveal, 'Space');
    await dialog.waitFor();
    await focused(field(dialog, 'Password'));
    for (let stops = 0; stops < 8; stops += 1) {
      await keyboard.press('Tab');
      const isWithin = 'document.activeElement.closest("dialog") !== null';
      assert.ok(await page.evaluate(`document.activeElement === document.body || ${isWithin}`));
    }
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // It takes no key until the dialog's answer has arrived.
    await focused(reveal.and(page.locator('[aria-disabled=false]')));
    await keyboard.press('Enter');
    await dialog.waitFor();
    await keyboard.type(password);
    await keyboard.press('Enter');
    await page.getByText(key, { exact: true }).waitFor();
    await focused(button(page, 'Hide'));
    await assertFocusSeen(page);
    await tabPress(page, button(page, 'Copy').first(), 'Space');
    await page.getByText('Key copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);

    const table = page.getByRole('region', { name: 'Requests by day, table' });
    await tabPress(page, button(page, 'Show as a table: Requests by day'));
    await tabTo(page, table);
    await tabPress(page, button(page, 'Refresh latest requests'));
    await page.getByRole('region', { name: 'Latest requests, table' }).waitFor();
    await assertFocusSeen(page);

    await tabPress(page, page.getByRole('link', { name: 'Security' }), 'Enter', 'Shift+Tab');
    await title(page, 'Security').waitFor();
    await focused(title(page, 'Security'));
    await tabTo(page, field(page, 'Current password'));
    await tabPress(page, button(page, 'Sign out'), 'Enter', 'Shift+Tab');
    await title(page, 'Sign in').waitFor();
    await focused(field(page, 'E-mail address'));
  });
});
