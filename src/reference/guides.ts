/** Copy buttons, pictures and the search of the guides, which need no script otherwise. */
import { followTheme } from './pictures.ts';
import { addSearch } from './search.ts';

// On narrow screens the list of guides is a scrolling line.
document
  .querySelector('.side-nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });

const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents !== null) contents.open = matchMedia('(min-width: 75rem)').matches;

const toldMilliseconds = 2_000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
  const text = button.parentElement?.querySelector('code')?.textContent ?? '';
  const label = button.textContent;
  // Browsers do not allow copying on pages from another machine without TLS.
  button.hidden = !('clipboard' in navigator);
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => {
      button.textContent = label;
    }, toldMilliseconds);
  });
}

followTheme();
addSearch();
