import { MAX_BRIEF } from '../../../../../machines/limits.ts';
import { Pill } from '../../../primitives/choices.tsx';
import { useText } from '../../../site/use-site.ts';
import type { RoomType } from '../studio-queries.ts';
import type { Brief, StagingCatalog } from './submit-staging.ts';

const LISTS = [
  ['pieces', 'piece'],
  ['materials', 'material'],
  ['colours', 'colour'],
] as const;

interface FurnitureBriefProps {
  readonly catalog: StagingCatalog;
  readonly room: RoomType;
  readonly brief: Brief;
  readonly onChange: (brief: Brief) => void;
}

/** The furniture that all photos of one room share: pieces, materials and colors. */
export default function FurnitureBrief({
  catalog: { furniture },
  room,
  brief,
  onChange,
}: FurnitureBriefProps) {
  const { t } = useText();
  const known = furniture.rooms.find(({ roomType }) => roomType === room);
  const offered = {
    pieces: known?.pieces ?? [],
    materials: furniture.materials,
    colours: furniture.colours,
  };
  const toggle = (list: keyof Brief, id: string): void => {
    const now: readonly string[] = brief[list];
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
    onChange({ ...brief, [list]: next } as Brief);
  };
  return (
    <details className="studio-brief">
      <summary>{t('studio.brief.title')}</summary>
      {LISTS.map(([list, kind]) => {
        const chosen: readonly string[] = brief[list];
        return (
          <fieldset key={list} className="choices">
            <legend className="field-label">{t(`studio.brief.${list}`, { count: MAX_BRIEF[list] })}</legend>
            {offered[list].map((id) => {
              const isChosen = chosen.includes(id);
              const isFixed =
                isChosen &&
                (chosen.length === 1 ||
                  (known?.required as readonly string[] | undefined)?.includes(id) === true);
              return (
                <Pill
                  key={id}
                  type="checkbox"
                  checked={isChosen}
                  disabled={isFixed || (!isChosen && chosen.length >= MAX_BRIEF[list])}
                  onChange={() => toggle(list, id)}
                >
                  {t(`furniture.${kind}.${id}`)}
                </Pill>
              );
            })}
          </fieldset>
        );
      })}
    </details>
  );
}
