import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useSite, useText } from '../../site/use-site.ts';

/** Shares the page with the device's own sheet, or copies its address. */
export function ShareButton({ title }: { readonly title: string }) {
  const { notices } = useSite();
  const { t } = useText();
  const share = async (): Promise<void> => {
    const url = location.href;
    try {
      // Not every browser has it, whatever its types say.
      const { share: shareByDevice } = navigator as Partial<Navigator>;
      if (shareByDevice !== undefined) {
        await shareByDevice.call(navigator, { title, url });
        return;
      }
      await navigator.clipboard.writeText(url);
      notices.say('listing.linkCopied');
    } catch (error) {
      // The person closed the sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      notices.say('listing.notShared');
    }
  };
  return (
    <Button kind="quiet" onPress={() => void share()}>
      <Icon name="share" />
      {t('listing.share')}
    </Button>
  );
}
