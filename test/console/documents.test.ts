/** Guides and reference are there for everybody, and these tests notice what no page may do. */
import assert from 'node:assert/strict';
import { assertFocusSeen, assertGood, focused } from '../browser.ts';
import { deepTest } from '../level.ts';
import { forgive, onAccountPages, title } from './people.ts';

onAccountPages('the guides and the reference', {}, (site) => {
  deepTest('the tests notice actions that no page may take', async () => {
    const { page, problems } = await site.visit();
    await page.goto('/guides');
    await page.evaluate(
      'fetch("http://elsewhere.test/").catch(() => setTimeout(() => { throw new Error("unheard"); }))',
    );
    await page.waitForEvent('pageerror');
    await page.goto('about:blank');
    await page.evaluate('fetch("http://elsewhere.test/").catch(() => undefined)');
    for (const expected of [
      /^content security policy: connect-src http:\/\/elsewhere/,
      /^error of a script: Error: unheard/,
      /^request to another host: http:\/\/elsewhere/,
    ]) {
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        `${expected}: ${problems.join('\n')}`,
      );
    }
    problems.splice(0);

    await page.goto('/guides');
    await page.evaluate(
      `document.querySelector('main').append(Object.assign(new Image(), { id: 'unnamed' }))`,
    );
    const pattern = /image-alt: <img id="unnamed">/;
    await assert.rejects(assertGood(page, 'an image without words', 'wide'), pattern);
    await page.evaluate(
      `document.querySelector('#unnamed').replaceWith(Object.assign(document.createElement('hr'), { id: 'wide' }))`,
    );
    await page.evaluate(`document.querySelector('#wide').style.width = '400px'`);
    await assert.rejects(
      assertGood(page, 'a wide line', 'narrow'),
      /416 pixels in a window of 320/,
    );
    await page.evaluate(`document.activeElement.blur()`);
    await assert.rejects(assertFocusSeen(page), /nothing has the focus/);
    await page.evaluate(`document.querySelector('main a').style.outline = 'none'`);
    await page.locator('main a').first().focus();
    await assert.rejects(assertFocusSeen(page), /the focus is not marked/);
  });

  deepTest('the guides are there for everybody', async () => {
    const visit = await site.visit();
    const { page, problems } = visit;
    await page.goto('/guides');
    await assertGood(page, 'the guides');
    const links = await page.locator('main a[href^="/guides/"], nav a[href^="/guides/"]').all();
    const addresses = [
      ...new Set(
        await Promise.all(
          links.map(async (link) => (await link.getAttribute('href'))!.split('#')[0]!),
        ),
      ),
    ];
    assert.ok(addresses.length >= 6, addresses.join(' '));
    for (const address of addresses) {
      assert.equal((await page.goto(address))!.status(), 200, address);
      await assertGood(page, address, 'narrowFit');
    }
    await page.goto('/guides/periods');
    await page.locator('main picture').scrollIntoViewIfNeeded();
    const dark = page.waitForResponse(/period-dark-/);
    await page.getByLabel('Theme').selectOption('dark');
    assert.equal((await dark).status(), 200);
    for (const [theme, media] of [
      ['light', 'not all'],
      ['system', '(prefers-color-scheme: dark)'],
    ] as const) {
      await page.getByLabel('Theme').selectOption(theme);
      await page.locator(`source[media="${media}"]`).waitFor({ state: 'attached' });
    }
    await page.goto('/guides');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search the guides' });
    await focused(search);
    await page.keyboard.type('retry-after');
    const found = page.locator('.found a');
    await found.first().waitFor();
    await assertGood(page, 'the search of the guides', 'narrowFit');
    await page.keyboard.press('Escape');
    assert.ok(await found.first().isHidden());
    await page.keyboard.type(' 429');
    await found.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await focused(found.first());
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/errors-and-limits#/);
    await page.goto('/guides/nowhere');
    await title(page, 'Page not found').waitFor();
    assert.ok(problems.length <= 1);
    forgive(visit, /status of 404/);
  });

  deepTest('the reference shows every call, and tries one with a key that it forgets', async () => {
    const { key } = await site.world.tenant();
    const { page } = await site.visit();
    await page.goto('/reference');
    await page.getByText('List channels').first().waitFor();
    await assertGood(page, 'the reference', 'wideFit');
    await page.getByLabel('Theme').selectOption('dark');
    await page.locator('body.dark-mode').waitFor();

    await page
      .locator('#reference input[type=password], #reference .scalar-password-input')
      .first()
      .fill(key);
    await page.getByText('List channels').first().click();
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('200 OK').waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    assert.ok(!stored.includes(key), stored);

    await page.goto('/console/sign-in');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  });
});
