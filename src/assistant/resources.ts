/** Resources for assistants: the words of the service, and the stores of the key. */
import { readFile } from 'node:fs/promises';
import { packageFolder } from '../config.ts';
import { listChannels } from '../endpoints/channels/contract.ts';
import { type Api, Calls } from './api.ts';
import { outputFrom } from './output.ts';

/** A resource as it is listed, and how it is read. */
export type Resource = {
  readonly listed: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType: string;
  };
  readonly read: (api: Api) => Promise<string>;
};

/** All resources. */
export const resources: readonly Resource[] = [
  {
    listed: {
      uri: 'vitrine://glossary',
      name: 'glossary',
      title: 'Glossary',
      description: 'The words of the service and its figures, each with its meaning.',
      mimeType: 'text/markdown',
    },
    read: () => readFile(new URL('docs/glossary.md', packageFolder), 'utf8'),
  },
  {
    listed: {
      uri: 'vitrine://channels',
      name: 'channels',
      title: 'Stores',
      description:
        'The stores of the key with channelId, merchantId, currency, time zone and the last dates ' +
        'of their facts. Reading it counts as a request.',
      mimeType: 'application/json',
    },
    async read(api) {
      const calls = new Calls(api);
      const answer = await calls.ask(listChannels, { include: ['details', 'freshness'] });
      const summary = `Stores of the key: ${answer.length}.`;
      return JSON.stringify(outputFrom(calls, { summary, answer }));
    },
  },
];
