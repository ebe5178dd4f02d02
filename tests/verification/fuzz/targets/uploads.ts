import fc from 'fast-check';
import { defineTarget } from '../target.ts';
import { damaged } from '../values/damaged-bytes.ts';
import { type MultipartForm, multipartForms } from '../values/multipart-forms.ts';
import { type HostWorld, sendLoosely } from '../worlds/host-world.ts';

interface Upload {
  readonly form: MultipartForm;
  readonly avatar: boolean;
}

/** Uploads of photos and avatars: everything around the picture. */
export const uploads = defineTarget<HostWorld, Upload>({
  name: 'uploads',
  about: 'multipart uploads: boundaries, part headers, truncated, nested and many parts',
  runs: 140,
  mustSee: ['accepted', 'INVALID_INPUT', 'PHOTO_BROKEN', 'PHOTO_TYPE_UNSUPPORTED'],
  input: ({ rows, ids }) => {
    const [shown = ''] = rows.shown.property;
    const forms = multipartForms(
      fc.oneof(
        { arbitrary: fc.constant(rows.photo), weight: 3 },
        { arbitrary: damaged(fc.constant(rows.photo)), weight: 4 },
        { arbitrary: fc.constant(Buffer.from('GIF89a')), weight: 1 },
      ),
      fc.oneof({ arbitrary: fc.constant(shown), weight: 4 }, fc.constantFrom(...ids, 'x', '')),
    );
    const broken = forms.chain(({ contentType, body }) =>
      damaged(fc.constant(body), { changes: 2 }).map((bytes) => ({ contentType, body: bytes })),
    );
    return fc.record({
      form: fc.oneof({ arbitrary: forms, weight: 2 }, { arbitrary: broken, weight: 1 }),
      avatar: fc.boolean(),
    });
  },
  async feed({ form, avatar }, world) {
    const [method, path] = avatar ? ['PUT', '/api/users/avatar'] : ['POST', '/api/property-images'];
    const objects = await world.host.objectKeys();
    const init = { headers: { 'content-type': form.contentType }, body: form.body };
    let code: string | undefined;
    const send = async () => {
      const answer = await sendLoosely(world.people.owner, method ?? '', path ?? '', init);
      code = answer?.errorCode;
      return answer;
    };
    const verdict = await world.judge('route', send);
    // A rejected upload leaves no object, guarded or not.
    if (verdict !== 'accepted') {
      const left = (await world.host.objectKeys()).filter((key) => !objects.includes(key));
      if (left.length > 0) throw new Error(`a refused upload left ${left.join(', ')}`);
    }
    return code ?? verdict;
  },
});
