import { useFavorite } from '../session/favorites.ts';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './heart-button.css';

/** Saves a home, or takes it off the saved ones. */
export function HeartButton({
  propertyId,
  address,
}: {
  readonly propertyId: string;
  readonly address: string;
}) {
  const { t } = useText();
  const { isSaved, toggle } = useFavorite(propertyId);
  return (
    <span className={isSaved ? 'heart heart-on' : 'heart'}>
      <Button
        kind="icon"
        aria-label={t(isSaved ? 'favorites.remove' : 'favorites.add', { address })}
        onPress={toggle}
      >
        <Icon name="heart" filled={isSaved} />
      </Button>
    </span>
  );
}
