import { Link } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import type { PictureChoice } from '../../../pictures/picture-choice.ts';
import { picturesOf } from '../../../pictures/picture-choice.ts';
import { Choices } from '../../../primitives/choices.tsx';
import { Compare } from '../../../primitives/compare.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useText } from '../../../site/use-site.ts';
import { type Detail, RATIO, type Room, ratioOf, stagedRooms } from '../listing-data.ts';
import { useProvenancePage } from './staged-label.tsx';
import './staged-rooms.css';

/**
 * The staged rooms in one comparison, and a strip of their photos from which a room is chosen. Without JavaScript the strip
 * leads to the page of all pictures.
 */
export default function StagedRooms({
  home,
  chosen,
}: {
  readonly home: Detail;
  readonly chosen: PictureChoice | undefined;
}) {
  const { t } = useText();
  const rooms = stagedRooms(home.images);
  const [roomId, setRoomId] = useState<string | null>(null);
  const room = rooms.find(({ original }) => original.imageId === roomId) ?? rooms[0];
  if (room === undefined) return null;
  const choose = (id: string) => (event: MouseEvent) => {
    event.preventDefault();
    setRoomId(id);
  };
  return (
    <Section title={t('gallery.staged')}>
      <RoomComparison key={room.original.imageId} room={room} />
      {rooms.length === 1 ? null : (
        <nav className="staged-rooms" aria-label={t('gallery.rooms', { count: rooms.length })}>
          <p className="muted">{t('gallery.rooms', { count: rooms.length })}</p>
          <ul className="staged-strip">
            {rooms.map(({ original }, index) => (
              <li key={original.imageId}>
                <Link
                  className="staged-thumb"
                  to="/properties/$propertyId/photos"
                  params={{ propertyId: home.propertyId }}
                  search={picturesOf(chosen)}
                  hash={`picture-${original.imageId}`}
                  preload={false}
                  activeProps={{}}
                  aria-current={original === room.original ? 'true' : undefined}
                  aria-label={t('gallery.room', { number: index + 1, what: original.altText })}
                  onClick={choose(original.imageId)}
                >
                  <Picture imageId={original.imageId} alt="" ratio={RATIO} sizes="6rem" />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </Section>
  );
}

/** A photo and one of the pictures staged from it. */
function RoomComparison({ room }: { readonly room: Room }) {
  const { t } = useText();
  const [first] = room.staged;
  const [stagedId, setStagedId] = useState(first.imageId);
  const staged = room.staged.find(({ imageId }) => imageId === stagedId) ?? first;
  const page = useProvenancePage(staged);
  const { original } = room;
  return (
    <>
      <Compare
        original={{ imageId: original.imageId, alt: t('gallery.original', { what: original.altText }) }}
        staged={{ imageId: staged.imageId, alt: staged.altText, label: staged.disclosureLabel }}
        ratio={ratioOf(original)}
      >
        <span>
          {staged.altText}
          {staged.disclosureText === staged.disclosureLabel ? null : ` · ${staged.disclosureText}`}
        </span>
        {page === null ? null : <a href={page}>{t('gallery.provenance')}</a>}
      </Compare>
      {room.staged.length === 1 ? null : (
        <Choices
          legend={t('gallery.style')}
          isLegendHidden
          name="staged-style"
          value={staged.imageId}
          options={room.staged.map(({ imageId, style }, index) => ({
            value: imageId,
            label: style ?? String(index + 1),
          }))}
          onChange={setStagedId}
        />
      )}
    </>
  );
}
