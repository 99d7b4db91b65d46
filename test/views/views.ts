/** Helpers of the tests of the views of the console. */
import type { Locator } from 'playwright-core';
import type { Site, Visit } from '../browser.ts';
import { signIn } from '../visitors.ts';

/** Opens a view as a signed-in user, and waits for a heading of it. */
export async function signedIn(
  site: Site,
  email: string,
  path: string,
  heading: string,
): Promise<Visit> {
  const visit = await site.visit({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const [name, value] = (await signIn(site.world, email)).cookie!.split('=') as [string, string];
  const cookie = { name, value, url: site.address, httpOnly: true, sameSite: 'Strict' as const };
  await visit.context.addCookies([cookie]);
  await visit.page.goto(path);
  await visit.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  return visit;
}

/** How pages mark figures that are on their way; lines in the cells of tables come after the rest. */
const unsettled = '[aria-busy="true"]:not(.trend), .skeleton, .blank, .faded';

/** Waits until something is there and nothing on its page is on its way. */
export async function settled(shown: Locator): Promise<void> {
  await shown.first().waitFor();
  await shown.page().locator(unsettled).first().waitFor({ state: 'detached' });
}

/** The texts of elements once their page has settled. */
export async function textsOf(shown: Locator): Promise<string[]> {
  await settled(shown);
  return shown.allInnerTexts();
}

/** The texts of the cells of rows once their page has settled. */
export async function figuresIn(table: Locator, rows: string): Promise<string[][]> {
  await settled(table.locator(rows));
  return table
    .locator(rows)
    .evaluateAll((found) =>
      found.map((row) =>
        [...row.querySelectorAll('th, td')].map((cell: { innerText: string }) =>
          cell.innerText.trim(),
        ),
      ),
    );
}
