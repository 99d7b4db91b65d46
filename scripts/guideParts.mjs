// Parts of the guides that are made at build time: coloured code, contents, index of the search.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { writeAsset } from './assets.mjs';
import { escaped } from './page.mjs';

const languages = { bash, http, ini, json, sql, typescript, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Code as HTML, in colours where its language is known. */
export function coloured(text, name) {
  const language = name === undefined ? undefined : hljs.getLanguage(name);
  return language === undefined
    ? escaped(text)
    : hljs.highlight(text, { language: name, ignoreIllegals: true }).value;
}

/** The contents of a page: links to its headings of the second level, and their own below. */
export function contentsOf(headings) {
  const shown = headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
  );
  return `<aside class="contents"><details><summary>On this page</summary>
<nav aria-label="On this page"><ul>
${items.join('\n')}
</ul></nav></details></aside>`;
}

/** The sections of a page for the search: one for each heading, with the text below it. */
export function sectionsOf({ name, title, headings, tokens }) {
  const sections = [{ address: `/guides/${name}`, title, heading: '', text: '', code: '' }];
  let place = 0;
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth > 1) {
      const { id, text } = headings[place++];
      const address = `/guides/${name}#${id}`;
      sections.push({ address, title, heading: plain(text), text: '', code: '' });
    } else if (token.type === 'code') sections.at(-1).code += `${plain(token.text)} `;
    else if (token.type !== 'heading') sections.at(-1).text += `${plain(token.raw)} `;
  }
  return sections;
}

const plain = (text) =>
  text
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/&\w+;|!?\[|[`*|\]#]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Writes the sections for the search; returns their address. */
export function writeSections(folder, sections) {
  return writeAsset(folder, 'guides', 'search.json', JSON.stringify(sections));
}

/** The search in the bar at the top; hidden without the script that answers it. */
export const searchBox = (index) => `<div class="guide-search" data-index="${index}" hidden>
<label class="search"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.3 3.3"/></svg><span class="visually-hidden">Search the guides</span><input type="search" placeholder="Search the guides" autocomplete="off"><kbd aria-hidden="true">/</kbd></label>
<p class="visually-hidden" role="status"></p>
<ul class="found" hidden></ul>
</div>`;
