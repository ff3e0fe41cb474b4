import type { ContainerProtocol } from './protocol.ts';
import { shapeProblem, statusProblem } from './status.ts';

const VERSION = /^\s*\d{1,5}\.\d{1,5}\.\d{1,5}[\w.+-]{0,40}\s*$/;

/** The scoring server of MLflow. */
export const mlflow: ContainerProtocol = {
  async probe(read) {
    const problem = shapeProblem(await read('/version'), (text) => VERSION.test(text));
    // It has an error here until the model is loaded.
    return problem || statusProblem(await read('/ping'));
  },
};
