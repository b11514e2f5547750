import { domainError } from '@sotto/kernel';

/** Error for a task that does not exist, or that has no subject of this name. */
export class TaskNotFound extends domainError('TASK_NOT_FOUND') {}
