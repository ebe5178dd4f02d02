/**
 * The program that serves S3 and SMTP on loopback, as one child of the launcher. It is a separate process, so that
 * storing pictures never blocks the launcher, and a test can kill the object store without killing itself. It
 * prints one JSON line when both listen. Objects and mail are plain files; a crash loses at most the request in
 * flight.
 */
import { parseArgs } from 'node:util';
import { openMailSink } from './mail-sink.ts';
import { openObjectStore } from './objects/object-store.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string' },
    mail: { type: 'string' },
    bucket: { type: 'string' },
    's3-port': { type: 'string', default: '0' },
    'smtp-port': { type: 'string', default: '0' },
  },
});
const { objects, mail, bucket } = values;
// From the environment: an argument would show the secret in the process list.
const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
if (!objects || !mail || !bucket || !accessKeyId || !secretAccessKey) {
  throw new Error('started by the launcher only: needs --objects, --mail, --bucket and the S3 keys');
}

const s3 = await openObjectStore({
  directory: objects,
  bucket,
  port: Number(values['s3-port']),
  keys: { accessKeyId, secretAccessKey },
});
const smtp = await openMailSink(mail, Number(values['smtp-port']));

for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(0));
process.stdout.write(`${JSON.stringify({ s3, smtp: smtp.url })}\n`);
