import fc from 'fast-check';
import { MARKETS } from '../../../../machines/disclosure/profile.ts';
import { defineTarget } from '../target.ts';
import { brokenJson, hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated } from '../values/mutated.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, percentEncoded, sendLoosely } from '../worlds/host-world.ts';

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const short = hostileText.filter((text) => text.length < 2_000 && !/^\.{0,2}$/.test(text));
const side = fc.oneof(
  fc.integer({ min: -5, max: 5_000 }).map(String),
  fc.constantFrom('64', '1e3', '0x40', '٦٤', ''),
  short,
);
const parameter = fc.oneof(
  fc.tuple(fc.constantFrom('w', 'h', 'q'), side),
  fc.tuple(
    fc.constantFrom('fit', 'format'),
    fc.oneof(fc.constantFrom('cover', 'contain', 'auto', 'webp', 'avif'), short),
  ),
  fc.tuple(short, short),
);
const market = fc.oneof(fc.constantFrom(...MARKETS), short);
const headers = fc.record(
  {
    accept: fc.constantFrom(
      'image/avif,image/webp,*/*',
      'image/*;q=2',
      ';;,,;q=',
      'x'.repeat(2_000),
      'image/webp;q=nan',
    ),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"', ','.repeat(1_000), '"\t'),
    range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1,0-0', 'lines=1'),
  },
  { requiredKeys: [] },
);
const change = fc.record(
  {
    isMain: fc.boolean(),
    position: fc.oneof(fc.nat(), fc.constantFrom(2 ** 31, 2 ** 53 - 1)),
    roomType: fc.constantFrom(null, 'LIVING_ROOM', 'OFFICE'),
  },
  { requiredKeys: [] },
);
const anId = (ids: readonly string[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...ids), weight: 6 },
    { arbitrary: short.map(percentEncoded), weight: 1 },
  );

/** Requests for pictures by id: the image proxy, avatars, exports, and changes and deletions of photos. */
export const pictureRequests = defineTarget<HostWorld, FuzzRequest>({
  name: 'picture-requests',
  about: 'image proxy parameters and ids, exports, and bodies of photo changes',
  runs: 220,
  mustSee: ['accepted', 'refused'],
  input: ({ ids, rows }) => {
    const images = [...rows.hidden.image, ...rows.shown.image];
    const search = fc
      .array(parameter, { maxLength: 4 })
      .map((pairs) =>
        pairs.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join('&'),
      );
    const looking = fc.record({
      method: fc.constantFrom('GET', 'HEAD'),
      path: fc.tuple(anId([...images, ...ids]), search).map(([id, query]) => `/api/images/${id}?${query}`),
      headers,
      body: fc.constant(null),
    });
    const avatar = looking.map((asked) => ({ ...asked, path: asked.path.replace('/images/', '/avatars/') }));
    const exporting = fc.record({
      method: fc.constantFrom('GET', 'HEAD'),
      path: fc
        .tuple(anId([...rows.shown.property, ...ids]), market, search)
        .map(([id, chosen, more]) => `/api/disclosure/${id}.zip?market=${percentEncoded(chosen)}&${more}`),
      headers,
      body: fc.constant(null),
    });
    const changing = fc.record({
      method: fc.constant('PATCH'),
      path: anId(images).map((id) => `/api/property-images/${id}`),
      headers: fc.constantFrom<Record<string, string>>({}, {}, { 'content-type': 'text/plain' }),
      body: fc.oneof(
        { arbitrary: change.map(toJsonText), weight: 3 },
        { arbitrary: mutated(change).map(toJsonText), weight: 4 },
        { arbitrary: fc.oneof(hostileValue.map(toJsonText), brokenJson), weight: 1 },
      ),
    });
    const deleting = fc.record({
      method: fc.constant('DELETE'),
      path: short.map((text) => `/api/property-images/${percentEncoded(text)}`),
      headers,
      body: fc.option(brokenJson),
    });
    return fc.oneof(
      { arbitrary: looking, weight: 6 },
      { arbitrary: avatar, weight: 1 },
      { arbitrary: exporting, weight: 1 },
      { arbitrary: changing, weight: 6 },
      { arbitrary: deleting, weight: 1 },
    );
  },
  feed({ method, path, headers: sent, body }, world) {
    const init = { headers: sent, ...(body === null ? {} : { body }) };
    const send = async () => {
      const answer = await sendLoosely(world.people.owner, method, path, init);
      // An error response to HEAD has headers and no body to check.
      if (answer === null || method !== 'HEAD') return answer;
      if (answer.text !== '') throw new Error(`an answer to HEAD with a body: ${answer.text.slice(0, 100)}`);
      return answer.status < 500 ? null : answer;
    };
    // A new rendition is stored after the answer; the change would count against the next request.
    return world.judge('route', send, { mayChange: ['image_renditions', 'storage_deletion_outbox'] });
  },
});
