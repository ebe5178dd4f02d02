/** Keeps the first problems, so that a bench fails instead of measuring what went wrong. */
const MOST = 10;

export function benchReporter() {
  const problems: string[] = [];
  return {
    problems,
    report: () => {},
    alert: () => {},
    transition: () => {},
    count: () => {},
    problem(what: string, error: unknown) {
      if (problems.length < MOST) problems.push(`${what}: ${error}`);
    },
  };
}
