import { pathIn } from '../../../../i18n/languages.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** The page's address for a phone that is held over the printed page; loaded when it is printed. */
export default function PageCode({ propertyId }: { readonly propertyId: string }) {
  const { settings } = useSite();
  const { t, locale } = useText();
  const path = pathIn(settings.site, `/properties/${propertyId}`, locale);
  return (
    <figure className="listing-code-block">
      <img
        className="listing-code"
        src={`${path}/code.svg`}
        alt={t('listing.code')}
        width={180}
        height={180}
        loading="lazy"
      />
      <figcaption>
        <strong>{settings.site.name}</strong> {settings.origin + path}
      </figcaption>
    </figure>
  );
}
