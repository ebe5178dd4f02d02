import { binaryProblems } from '../release/http-server-binary.ts';
import { licenseProblems } from '../release/licenses.ts';
import { ROOT } from '../release/lock-file.ts';
import { deployedPackages } from '../release/package-list.ts';

/** Part of `npm run check`: the licenses of what is deployed, and the bytes of the HTTP server. */
const packages = deployedPackages();
const problems = [...licenseProblems(packages), ...binaryProblems(ROOT)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `The licenses of ${packages.length} packages are allowed, and the HTTP server is the pinned one`,
  );
