/**
 * The manifest of a backup: its schema, its checksum and its keyed code. Nothing of a manifest may
 * reach a path or a statement before `readManifest` has checked it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { facts } from '../../schema/warehouse/tables.ts';
import { createHashing } from '../access/secret.ts';
import { numberedTables, recordTableNames, storedName } from '../engine/recordCopies.ts';
import {
  BackupRefusal,
  formatVersion,
  type Manifest,
  manifestName,
  totalsName,
  type WrittenManifest,
} from './format.ts';

const int32Max = 2 ** 31 - 1;
const isClosed = { additionalProperties: false };

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Id = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' });
const Place = Type.Object(
  {
    channel: Type.Integer({ minimum: 0, maximum: int32Max }),
    day: Type.Integer({ minimum: -int32Max, maximum: int32Max }),
  },
  isClosed,
);

/** A file whose path has this form, with further properties. */
function fileOf(path: string, more: Readonly<Record<string, TSchema>> = {}) {
  const Path = Type.String({ pattern: `^${path}$`, maxLength: 300 });
  return Type.Object({ path: Path, bytes: Count, sha256: Sha256, ...more }, isClosed);
}

const literally = (name: string) => name.replaceAll('.', '\\.');

const RecordsFiles = recordTableNames.map((name) =>
  fileOf(`records/${storedName(name)}\\.jsonl`, { table: Type.Literal(name), rows: Count }),
);

const FactsFiles = facts.map(({ name }) => {
  const range = Type.Object({ table: Type.Literal(name), from: Place, to: Place }, isClosed);
  return fileOf(`facts/${name}-\\d{4,9}\\.parquet`, { range, rows: Count });
});

const numbers = Object.fromEntries(numberedTables.map((name) => [name, Type.Optional(Count)]));

const Schema = Type.Object(
  {
    format: Type.Literal('vitrine backup'),
    version: Type.Literal(formatVersion),
    backupId: Id,
    installationId: Id,
    madeAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    schema: Type.Object({ registry: Count, warehouse: Count }, isClosed),
    numbers: Type.Object(numbers, isClosed),
    records: Type.Array(Type.Union(RecordsFiles)),
    facts: Type.Array(Type.Union(FactsFiles)),
    reports: Type.Array(fileOf('reports/[\\w-][\\w.-]*')),
    totals: fileOf(literally(totalsName)),
  },
  isClosed,
);

let check: Validator | undefined;

/** The text of a manifest with its checksum, and its code under the installation key. */
export function manifestText(manifest: Manifest, key: string): string {
  const text = JSON.stringify(manifest);
  const written = { sha256: digestOf(text), hmac: codeOf(text, key), manifest };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/**
 * Reads the text of a manifest. Throws BackupRefusal if it is damaged, malformed or of another
 * version. Only `checkCode` finds out whether this installation made it.
 */
export function readManifest(text: string): WrittenManifest {
  const { sha256, hmac, manifest } = objectOf(text) as Partial<WrittenManifest & Checksum>;
  if (manifest === undefined || sha256 !== digestOf(JSON.stringify(manifest)))
    throw new BackupRefusal(`The backup is damaged: its ${manifestName} is not as it was written.`);
  const { version } = Object(manifest) as { version?: unknown };
  if (version !== formatVersion)
    throw new BackupRefusal(
      `The backup has version ${version} of the format and this program reads ${formatVersion}: ` +
        'restore it with the release that made it.',
    );
  check ??= Compile(Schema);
  if (!check.Check(manifest)) {
    const [first] = check.Errors(manifest);
    throw new BackupRefusal(
      `No backup has such a ${manifestName}, at ${first?.instancePath || '/'}: restore another ` +
        'copy of the backup.',
    );
  }
  return { manifest, hmac: typeof hmac === 'string' ? hmac : '' };
}

/** Throws BackupRefusal unless a manifest was written under this installation key. */
export function checkCode({ manifest, hmac }: WrittenManifest, key: string): void {
  const [expected, found] = [codeOf(JSON.stringify(manifest), key), hmac].map((code) =>
    createHash('sha256').update(code).digest(),
  );
  if (!timingSafeEqual(expected!, found!))
    throw new BackupRefusal(
      `The ${manifestName} of the backup was not written by its installation, so nothing was ` +
        'changed: restore another copy of the backup.',
    );
}

type Checksum = { readonly sha256: string };

function codeOf(text: string, key: string): string {
  return createHashing(key, 'backup manifest')(text);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function objectOf(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
