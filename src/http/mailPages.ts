/** Pages on which recipients of e-mails confirm and unsubscribe; they need no key. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Registry } from '../engine/registry.ts';
import { type MailLinks, type MailPurpose, mailLinkPattern } from '../schedules/mailLinks.ts';
import { changeRecipient, findRecipient } from '../schedules/recipients.ts';
import { pageHeaders } from './headers.ts';

const bodyBytesMax = 8_192;
const policy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

type Params = { readonly purpose: string; readonly token: string };

/** The services that the pages need. */
export type MailPageServices = {
  readonly registry: Registry;
  readonly links: MailLinks;
  readonly now: () => number;
};

/**
 * Adds the routes. A GET changes nothing, because programs that check mails follow links; a POST
 * does, as RFC 8058 has mail programs send it.
 */
export async function addMailPages(
  server: FastifyInstance,
  services: MailPageServices,
): Promise<void> {
  await server.register(async (own) => {
    own.addContentTypeParser(
      formTypes,
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    own.get<{ Params: Params }>(mailLinkPattern, async ({ params }, reply) => {
      const found = await find(services, params);
      if (found === undefined) return sendPage(reply, 404, unusable);
      const { purpose, organisation, unsubscribedAt } = found;
      if (purpose === 'confirm')
        return sendPage(reply, 200, `Get files of ${organisation} by e-mail?`, 'Confirm');
      if (unsubscribedAt === null)
        return sendPage(reply, 200, `Get no more e-mails of ${organisation}?`, 'Unsubscribe');
      return sendPage(reply, 200, `You get no e-mails of ${organisation}.`, 'Get them again');
    });
    own.post<{ Params: Params; Body: unknown }>(
      mailLinkPattern,
      { bodyLimit: bodyBytesMax },
      async ({ params, body }, reply) => {
        const found = await find(services, params);
        if (found === undefined) return sendPage(reply, 404, unusable);
        const at = services.now();
        const wantsMail = found.purpose === 'confirm' || body === 'again=yes';
        await changeRecipient(
          services.registry,
          found.recipientId,
          wantsMail ? { confirmedAt: at, unsubscribedAt: null } : { unsubscribedAt: at },
        );
        const { organisation } = found;
        return sendPage(
          reply,
          200,
          wantsMail
            ? `Confirmed: files of ${organisation} come by e-mail.`
            : `You get no more e-mails of ${organisation}.`,
        );
      },
    );
  });
}

const unusable = 'This link has expired or is not whole: ask the sender for a new one.';

async function find({ registry, links }: MailPageServices, { purpose, token }: Params) {
  if (!isPurpose(purpose)) return undefined;
  const recipientId = links.recipientOf(purpose, token);
  const found = recipientId && (await findRecipient(registry, recipientId));
  return found ? { ...found, purpose, recipientId: recipientId! } : undefined;
}

function isPurpose(text: string): text is MailPurpose {
  return text === 'confirm' || text === 'unsubscribe';
}

function sendPage(
  reply: FastifyReply,
  status: number,
  text: string,
  button?: string,
): FastifyReply {
  // Pages of other sites must not read it.
  reply.removeHeader('access-control-allow-origin');
  const value = button === 'Get them again' ? ' name="again" value="yes"' : '';
  const form = button ? `<form method="post"><button${value}>${button}</button></form>` : '';
  return reply
    .code(status)
    .headers({ ...pageHeaders, 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
        `content="width=device-width"><meta name="robots" content="noindex"><title>E-mail</title>` +
        `<main><h1>${escaped(text)}</h1>${form}</main></html>`,
    );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
