import { domainError } from '@sotto/kernel';

/** The task does not exist, or has no such subject. */
export class TaskNotFound extends domainError('TASK_NOT_FOUND') {}
