/** The search of the guides: answered in the browser, from an index that is loaded on first use. */
import MiniSearch from 'minisearch';

/** A section of a guide. */
type Section = {
  readonly address: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly code: string;
};
type Index = Pick<MiniSearch<Section>, 'search'>;

const foundMax = 8;
const excerptLength = 110;

/** Shows the search and answers it. */
export function addSearch(): void {
  const box = document.querySelector<HTMLElement>('.guide-search');
  const input = box?.querySelector('input');
  const list = box?.querySelector<HTMLElement>('.found');
  const status = box?.querySelector('[role="status"]');
  if (!box || !input || !list || !status) return;
  box.hidden = false;
  let index: Promise<Index> | undefined;

  const show = async () => {
    const words = input.value.trim();
    index ??= loadIndex(box.dataset.index ?? '');
    const found = words === '' ? [] : (await index).search(words).slice(0, foundMax);
    // Another letter has been typed in the meantime.
    if (words !== input.value.trim()) return;
    list.replaceChildren(...found.map((section) => item(section as unknown as Section, words)));
    if (words !== '' && found.length === 0) list.append(nothing());
    list.hidden = words === '';
    status.textContent = words === '' ? '' : `${found.length} found`;
  };
  const close = () => {
    list.hidden = true;
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!box.contains(relatedTarget as Node | null)) close();
  });
  box.addEventListener('keydown', (event) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const place = stops.indexOf(document.activeElement as HTMLInputElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) stops[place + step]?.focus();
    else if (event.key === 'Enter' && place === 0) stops[1]?.click();
    else if (event.key === 'Escape') {
      input.focus();
      close();
    } else return;
    event.preventDefault();
  });
  list.addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input, select, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

async function loadIndex(address: string): Promise<Index> {
  const sections = (await (await fetch(address)).json()) as readonly Section[];
  const index = new MiniSearch<Section>({
    idField: 'address',
    fields: ['title', 'heading', 'text', 'code'],
    storeFields: ['address', 'title', 'heading', 'text'],
    searchOptions: {
      boost: { title: 2, heading: 4, code: 0.5 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(sections);
  return index;
}

function item({ address, title, heading, text }: Section, words: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : heading;
  const place = document.createElement('small');
  place.textContent = [heading === '' ? '' : title, excerptOf(text, words)]
    .filter((part) => part !== '')
    .join(': ');
  link.append(name, place);
  const element = document.createElement('li');
  element.append(link);
  return element;
}

function nothing(): HTMLLIElement {
  const element = document.createElement('li');
  element.className = 'muted';
  element.textContent = 'Nothing found. Try another word.';
  return element;
}

/** The text around the first of the words. */
function excerptOf(text: string, words: string): string {
  const [first = ''] = words.toLowerCase().split(/\s+/);
  const at = Math.max(0, text.toLowerCase().indexOf(first));
  const from = at < excerptLength / 2 ? 0 : text.indexOf(' ', at - excerptLength / 2) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + excerptLength)}`;
}
