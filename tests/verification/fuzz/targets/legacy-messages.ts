import fc from 'fast-check';
import { expect } from 'vitest';
import { messageKey, readStageRoomMessage } from '../../../../src/queues/stage-room-message.ts';
import { defineTarget } from '../target.ts';
import { hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated } from '../values/mutated.ts';
import { isWritable, toJsonText } from '../values/raw-json.ts';
import { stageRoomMessages } from '../values/stage-room-messages.ts';

/** Messages of the old release: each is read or rejected, and what is kept of it can be written to a row. */
export const legacyMessages = defineTarget<unknown, { text: string; id: string }>({
  name: 'legacy-messages',
  about: 'stage-room messages of the old release',
  runs: 800,
  mustSee: ['read', 'unknown'],
  input: () => {
    const sound = stageRoomMessages(['6cca65e8-a96c-496e-88d8-1fad11c9f07f']);
    return fc.record({
      text: fc.oneof(sound, mutated(sound), hostileValue).map(toJsonText).filter(isWritable),
      id: hostileText,
    });
  },
  feed({ text, id }) {
    const data: unknown = JSON.parse(text);
    const entry = { id, timestamp: 1_700_000_000_000, data };
    expect(messageKey(entry)).toBe(messageKey({ ...entry, data: JSON.parse(text) }));
    const read = readStageRoomMessage(data);
    if (read.kind === 'read') {
      const kept = JSON.stringify(read.message);
      // jsonb accepts neither, and no link of the old release is kept.
      expect(kept).not.toMatch(/\\u0000|\\ud[89a-f]|https?:/);
      expect(kept.length).toBeLessThan(2_000);
    }
    return read.kind;
  },
});
