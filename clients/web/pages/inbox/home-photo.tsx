import { Icon } from '../../primitives/icon.tsx';
import { Picture } from '../../primitives/picture.tsx';

/** The photo of a home in a thread, or a drawn house. */
export function HomePhoto({ photoId }: { readonly photoId: string | null }) {
  return (
    <span className="home-photo">
      {photoId === null ? (
        <Icon name="home" />
      ) : (
        <Picture imageId={photoId} alt="" ratio={1} sizes="4.5rem" />
      )}
    </span>
  );
}
