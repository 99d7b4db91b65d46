import type { ComponentChildren } from 'preact';
import { CopyButton } from '../copying.tsx';
import { Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { useAddress } from '../view/address.ts';
import { type Store, useStores } from '../view/stores.tsx';

type Request = {
  readonly address: string;
  /** The key as the language writes it: its text, or the variable that holds it. */
  readonly key: string | undefined;
};

const body = '{"include": ["details", "freshness"]}';
const languages = [
  {
    id: 'curl',
    name: 'curl',
    write: ({ address, key = '$VITRINE_KEY' }: Request) => `curl -s -X POST ${address}/channels \\
  -H "x-api-key: ${key}" \\
  -H "content-type: application/json" \\
  -d '${body}'`,
  },
  {
    id: 'javascript',
    name: 'JavaScript',
    write: ({ address, key }: Request) => `const answer = await fetch("${address}/channels", {
  method: "POST",
  headers: {
    "x-api-key": ${key === undefined ? 'process.env.VITRINE_KEY' : `"${key}"`},
    "content-type": "application/json",
  },
  body: JSON.stringify(${body}),
});
console.log(await answer.json());`,
  },
  {
    id: 'python',
    name: 'Python',
    write: ({ address, key }: Request) => `import os, requests

answer = requests.post(
    "${address}/channels",
    headers={"x-api-key": ${key === undefined ? 'os.environ["VITRINE_KEY"]' : `"${key}"`}},
    json=${body},
)
print(answer.json())`,
  },
] as const;

type FirstRequestProps = { readonly address: string; readonly shown: string | undefined };

/** A request to start with, in the language of the reader. */
export function FirstRequest({ address, shown }: FirstRequestProps) {
  const { params, hrefOf } = useAddress();
  const language = languages.find(({ id }) => id === params.get('language')) ?? languages[0];
  const text = language.write({ address, key: shown });
  const { stores } = useStores();
  return (
    <Panel
      title="First request"
      className="first-request"
      tools={
        <>
          <Segments
            name="Language"
            options={languages}
            chosen={language.id}
            hrefOf={(id) => hrefOf({ language: id === languages[0].id ? undefined : id })}
          />
          <CopyButton text={text} name="the request" />
        </>
      }
    >
      <div class="body">
        {/* biome-ignore lint/a11y/useSemanticElements: the text itself scrolls. */}
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
          tabIndex={0}
          role="region"
          aria-label="The first request"
        >
          <code>{coloured(text)}</code>
          {stores[0] && (
            <>
              {'\n'}
              <span class="muted">200 OK</span>
              {'\n'}
              <code>{coloured(answerOf(stores[0], stores.length > 1))}</code>
            </>
          )}
        </pre>
        <p class="muted">
          Lists the stores that the key may read, with currency, zone and last day of data.{' '}
          {shown !== undefined && 'The request contains your key. '}
          <a href="/guides/first-request">Read the guide</a> or{' '}
          <a href="/reference">browse the reference</a>.
        </p>
      </div>
    </Panel>
  );
}

/** The beginning of the answer. */
const answerOf = ({ channelId, currency }: Store, hasMore: boolean): string =>
  `[{ "channelId": "${channelId}", "currency": "${currency}", … }${hasMore ? ', …' : ''}]`;

/** A text with its strings in colour. */
function coloured(text: string): ComponentChildren {
  return text.split(/("[^"\n]*"|'[^'\n]*')/).map((part, place) =>
    place % 2 === 1 ? (
      <span key={`${place} ${part}`} class="string">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
