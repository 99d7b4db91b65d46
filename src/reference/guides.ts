/** Copies commands of the guides. Without it the pages are the same but for their buttons. */

// The list of guides may be a line that scrolls.
document
  .querySelector('.side-nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });

const toldMilliseconds = 2_000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
  const text = button.parentElement?.querySelector('code')?.textContent ?? '';
  const label = button.textContent;
  // Pages that came by plain HTTP from another machine may not write to the clipboard.
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
