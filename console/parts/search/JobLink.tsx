import Link from '@splunk/react-ui/Link';
import { jobUrl } from '../../app/url.ts';

/** Opens the job of a search in the Search app, beside this page, which may have what was not saved. */
export const JobLink = ({ sid }: { sid: string }) => (
  <Link to={jobUrl(sid)} openInNewContext>
    {`Search job ${sid}`}
  </Link>
);
