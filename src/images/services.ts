import type { Pool } from 'pg';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Chance, Clock, Timers } from '../../supervisors/ports.ts';
import type { WebConfig } from '../config/config.ts';
import type { SearchHints } from '../queues/search-queue.ts';
import type { Repeats } from '../repeats/repeats.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Decoder } from './decoding/decoder.ts';
import type { UploadTurns } from './uploads/upload-turns.ts';

/** The services for uploads and copies of pictures, a part of the API's. */
export interface ImageServices {
  pool: Pool;
  actorSystem: ActorSystem;
  storage: ObjectStorage;
  /** For uploads, those that are HEIC, and copies of stored pictures: none waits for the others. */
  decoders: { uploads: Decoder; heic: Decoder; renditions: Decoder };
  uploadTurns: UploadTurns;
  search: SearchHints;
  repeats: Repeats;
  clock: Clock;
  timers: Timers;
  chance: Chance;
  logger: Logger;
  settings: Pick<WebConfig, 'publicBaseUrl' | 'site' | 'providerInputs' | 'growthLimits'>;
}
