/** Caches whole answers, and tags them so that clients can cache them, too. */
import { createHash, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Channel } from '../access/channels.ts';
import { WrittenAnswer } from '../endpoints/handler.ts';
import { FactsChanged, Reads } from '../engine/stamps.ts';
import type { QueryLimits, Warehouse } from '../engine/warehouse.ts';
import { bytesOfParts, type CachedAnswer, type WorkingSet } from '../engine/workingSet.ts';
import { AnswerInParts } from './answers.ts';
import { csvType, type WriteCsv } from './csvAnswers.ts';
import { type Encoding, encoded, packedBytesMin } from './encodings.ts';
import type { Entrance } from './entrance.ts';
import { varyBy } from './headers.ts';

/** Characters of a tag: 132 bits of a hash. */
const tagLength = 22;
/** A longer answer is sent in parts, so that other work has its turn in between. */
const wholeBytesMax = 262_144;

/** Caches answers with the stamps of the tables that they were read from, until one changes. */
export class CachedAnswers {
  readonly #warehouse: Warehouse;
  readonly #workingSet: WorkingSet;

  constructor(warehouse: Warehouse, workingSet: WorkingSet) {
    this.#warehouse = warehouse;
    this.#workingSet = workingSet;
  }

  /** The cached answer, if a fresh one would be the same; else the one that `compute` makes. */
  async answer(
    question: AnswerQuestion,
    reply: FastifyReply,
    compute: (reads: Reads) => Promise<unknown>,
  ): Promise<TaggedAnswer> {
    const { encoding } = question;
    const key = keyOfAnswer(question);
    const cached = await this.#find(key, question.context.limits);
    this.#workingSet.countLookup('answer', cached !== undefined);
    if (cached !== undefined) return cached;
    const reads = new Reads();
    const tagged = taggedAnswer(reply, await compute(reads));
    const fresh = { ...(await packedAnswer(tagged, encoding)), reads };
    if (reads.isKnown) this.#workingSet.cacheAnswer(key, fresh);
    return fresh;
  }

  async #find(key: string, limits: QueryLimits): Promise<CachedAnswer | undefined> {
    const cached = this.#workingSet.findAnswer(key);
    if (cached === undefined) return undefined;
    // Comparing stamps costs next to nothing, so it does not wait for a turn.
    const { deadlineMilliseconds, signal } = limits;
    const unqueued = { deadlineMilliseconds, ...(signal && { signal }) };
    try {
      return await this.#warehouse.view(cached.reads.channels, unqueued, async ({ stamps }) =>
        cached.reads.isCurrent(stamps) ? cached : undefined,
      );
    } catch (error) {
      if (error instanceof FactsChanged) return undefined;
      throw error;
    }
  }
}

/** Everything that an answer depends on, except facts. */
type AnswerQuestion = {
  readonly operation: string;
  readonly input: unknown;
  readonly context: {
    readonly channel?: Channel;
    readonly caller: Caller;
    readonly limits: QueryLimits;
  };
  /** The records that it depends on, besides the channel and the entitlements. */
  readonly records: unknown;
  /** How it is compressed, if at all. */
  readonly encoding: Encoding | undefined;
};

/** An answer as JSON, and its entity tag. */
export type TaggedAnswer = Pick<CachedAnswer, 'parts' | 'tag' | 'encoding'>;

/** The key of an answer: a digest of everything that it depends on, except facts. */
function keyOfAnswer({ operation, input, context, records, encoding }: AnswerQuestion): string {
  const { channel, caller } = context;
  const { entitlements } = caller;
  return hash(
    'sha256',
    JSON.stringify([operation, input, channel, entitlements, records, encoding]),
  );
}

/** The same answer compressed, if it is worth it. */
async function packedAnswer(
  answer: TaggedAnswer,
  encoding: Encoding | undefined,
): Promise<TaggedAnswer> {
  const { parts, tag } = answer;
  if (encoding === undefined || bytesOfParts(parts) < packedBytesMin) return answer;
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return { parts: [await encoded(bytes, encoding)], tag, encoding };
}

/** Writes an answer, and gives it an entity tag; a weak one, as compression does not change it. */
export function taggedAnswer(reply: FastifyReply, answer: unknown): TaggedAnswer {
  const written =
    answer instanceof WrittenAnswer
      ? answer.parts
      : [Buffer.from(reply.serialize(answer) as string)];
  const isWhole = bytesOfParts(written) <= wholeBytesMax;
  return {
    parts: isWhole && written.length > 1 ? [Buffer.concat(written)] : written,
    tag: tagOf(written),
  };
}

/** The same answer as CSV, with the entity tag of that text. */
function csvAnswer(
  reply: FastifyReply,
  { parts }: TaggedAnswer,
  write: WriteCsv,
): TaggedAnswer & { readonly type: string } {
  const written = [Buffer.from(write(reply, Buffer.concat(parts).toString()))];
  return { parts: written, tag: tagOf(written), type: csvType };
}

function tagOf(parts: readonly Buffer[]): string {
  const tag = createHash('sha256');
  for (const part of parts) tag.update(part);
  return `W/"${tag.digest('base64url').slice(0, tagLength)}"`;
}

/**
 * Sends an answer with its tag, as CSV where `writeCsv` is given, or 304. A client that names the
 * tag has the answer, so its key pays nothing; `*` names none, and counts.
 */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  json: TaggedAnswer,
  { refund }: Pick<Entrance, 'refund'>,
  writeCsv: WriteCsv | undefined,
): Promise<Buffer | AnswerInParts | FastifyReply> {
  const { parts, tag, type, encoding } = writeCsv
    ? csvAnswer(reply, json, writeCsv)
    : { ...json, type: 'application/json; charset=utf-8' };
  reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  const namesTag = known !== undefined && tagsOf(known).includes(opaque(tag));
  if (namesTag) await refund?.(request, reply);
  if (namesTag || known?.trim() === '*') return reply.code(304).send();
  reply.type(type);
  if (encoding !== undefined) varyBy(reply, 'accept-encoding').header('content-encoding', encoding);
  if (parts.length === 1) return parts[0]!;
  const bytes = bytesOfParts(parts);
  reply.header('content-length', bytes);
  return new AnswerInParts(parts, bytes);
}

/** The entity tags that `If-None-Match` names. */
const tagsOf = (header: string) => header.split(',').map(opaque);

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
