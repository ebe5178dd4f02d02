import { problemKey } from '../../api/failures.ts';
import { Button } from '../../primitives/button.tsx';
import { ListRow, Section } from '../../primitives/parts.tsx';
import { saveFile } from '../../site/save-file.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** When the home may be visited without asking. */
export default function OpenHouses({ home }: { readonly home: Detail }) {
  const { api, notices } = useSite();
  const { t, timeRange } = useText();
  const { openHouses, showing } = home;
  if (openHouses.length === 0) return null;
  const saveCalendar = async (openHouseId: string): Promise<void> => {
    try {
      const { ics } = await api.openHouses.get({ openHouseId });
      saveFile(new Blob([ics], { type: 'text/calendar' }), `open-house-${openHouseId.slice(0, 8)}.ics`);
    } catch (error) {
      notices.say(problemKey(error));
    }
  };
  return (
    <Section title={t('openHouse.title')}>
      {openHouses.map(({ openHouseId, startsAt, endsAt, remarks }) => {
        const time = timeRange(startsAt, endsAt, showing.propertyTimeZoneName);
        return (
          <ListRow key={openHouseId} title={time} detail={remarks ?? undefined}>
            <Button
              kind="quiet"
              aria-label={`${t('openHouse.saveCalendar')}: ${time}`}
              onPress={() => void saveCalendar(openHouseId)}
            >
              {t('openHouse.saveCalendar')}
            </Button>
          </ListRow>
        );
      })}
    </Section>
  );
}
