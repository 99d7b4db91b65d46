/** A bucket of S3 in this process, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { BucketAddress } from '../../src/files/s3.ts';

const bucket = 'reports';

/** A bucket that is empty at first. */
export type Bucket = {
  readonly address: Omit<BucketAddress, 'prefix'>;
  readonly close: () => Promise<void>;
};

/** Opens a server with one bucket on any free port. */
export async function openBucketServer(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    address: {
      bucket,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      sessionToken: undefined,
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
