import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useText } from '../../site/use-site.ts';

/** What the flyer shows and the page has perhaps not loaded yet. */
const PRINTED = '.gallery-item:nth-child(-n + 5) img, .listing-code';
/** A flyer without a picture is better than none, in milliseconds. */
const PATIENCE = 5000;

/** Prints the page as a flyer, once its pictures are there. */
async function print(): Promise<void> {
  const loading = [...document.querySelectorAll<HTMLImageElement>(PRINTED)].map((image) => {
    image.loading = 'eager';
    return image.decode();
  });
  await Promise.race([Promise.allSettled(loading), new Promise((done) => setTimeout(done, PATIENCE))]);
  window.print();
}

export function PrintButton() {
  const { t } = useText();
  return (
    <Button kind="quiet" onPress={() => void print()}>
      <Icon name="print" />
      {t('listing.print')}
    </Button>
  );
}
