/** Pictures in the theme that was chosen for the page, which may not be that of the system. */

/** The media of the dark variants by the theme of the page. */
const media: Readonly<Record<string, string>> = {
  light: 'not all',
  dark: 'all',
  system: '(prefers-color-scheme: dark)',
};

/** Shows the pictures of the page in its theme, now and after each change of it. */
export function followTheme(): void {
  const root = document.documentElement;
  const apply = () => {
    for (const variant of document.querySelectorAll<HTMLSourceElement>('picture source'))
      variant.media = media[root.dataset.theme ?? 'system']!;
  };
  new MutationObserver(apply).observe(root, { attributeFilter: ['data-theme'] });
  apply();
}
