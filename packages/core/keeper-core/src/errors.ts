import { domainError } from '@sotto/kernel';

/** There is no such task, or it is not known to have such a subject. */
export class TaskNotFound extends domainError('TASK_NOT_FOUND') {}
