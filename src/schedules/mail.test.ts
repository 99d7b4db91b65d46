/**
 * The file of a schedule is sent to its recipient unless it is large; the subject is the service's
 * own.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type MailServer, startMailServer } from '../../test/mailServer.ts';
import { attachmentBytesMax, type Mailer, MailFailure, openMailer, sendRun } from './mail.ts';

let server: MailServer;
let mailer: Mailer;

before(async () => {
  server = await startMailServer();
  mailer = await openMailer({ url: server.url, from: 'reports@vitrine.example' });
});
after(() => server.close());

const csv = 'store,sales\r\nAcme,10\r\n';
const mail = (size = csv.length) => ({
  messageId: 'message-1',
  name: 'Win\r\nBcc: a@b.example',
  fileName: 'sales.csv',
  dueAt: new Date('2026-11-23T06:00:00Z'),
  email: 'one@acme.example',
  organisation: 'Acme\nInc.',
  unsubscribeUrl: 'https://vitrine.example/mail/unsubscribe/t',
  pageUrl: 'https://vitrine.example/console/settings/schedules',
  file: { size, tag: '"1"', open: async () => Readable.from([csv]) },
});

test('a file is attached; one click unsubscribes, and the subject is no text of a user', async () => {
  await sendRun(mailer, mail());
  const { recipients, message } = server.arrived.splice(0)[0]!;
  assert.deepEqual(recipients, ['one@acme.example']);
  assert.ok(message.includes(Buffer.from(csv).toString('base64')), message);
  assert.match(message, /^Message-ID: <message-1@vitrine\.example>\r$/m);
  assert.match(message, /^Subject: Scheduled file sales\.csv\r$/m);
  assert.match(
    message,
    /^List-Unsubscribe: <https:\/\/vitrine\.example\/mail\/unsubscribe\/t>\r$/m,
  );
  assert.match(message, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  assert.match(message, /\r\n\r\nThis file comes from a schedule of Acme Inc\.\.\r\n/);
  assert.match(message, /^The schedule: Win Bcc: a@b\.example\r$/m);
});

test('a large file is named by its page', async () => {
  await sendRun(mailer, mail(attachmentBytesMax + 1));
  const { message } = server.arrived.splice(0)[0]!;
  assert.match(message, /The file is large: https:\/\/vitrine\.example\/console/);
  assert.doesNotMatch(message, /attachment/);
});

test('a refusal names its code and no address, and whether another attempt may help', async () => {
  for (const [code, isPermanent] of [
    [550, true],
    [451, false],
  ] as const) {
    server.refusal = code;
    await assert.rejects(sendRun(mailer, mail()), (error) => {
      assert.ok(error instanceof MailFailure);
      assert.equal(error.message, `the mail server answered ${code}`);
      return error.isPermanent === isPermanent;
    });
  }
  server.refusal = undefined;
  await sendRun(mailer, mail());
  const nowhere = await openMailer({ url: 'smtp://127.0.0.1:9', from: 'a@b.example' });
  await assert.rejects(
    sendRun(nowhere, mail()),
    /^MailFailure: the mail server cannot be reached \(ESOCKET|ECONNECTION\)/,
  );
});
