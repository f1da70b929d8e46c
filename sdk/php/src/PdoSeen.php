<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * In a table of your database, so for any number of computers. MySQL and MariaDB, PostgreSQL, SQLite. `createTable()` makes
 * it; in a migration of your own it is
 *
 *     create table mfuko_seen (id varchar(128) primary key, state varchar(8) not null, seen_at bigint not null)
 */
final class PdoSeen implements Seen
{
    /** One of so many looks for rows that are too old. */
    private const SWEEP_EVERY = 100;

    /** @var \Closure(): int */
    private readonly \Closure $now;

    /**
     * @param int $leaseSeconds who has begun and neither finished nor failed after so long has died
     * @param int $keepSeconds a week: the last attempt is made after 75 hours, and a person can replay one
     * @param (\Closure(): int)|null $now Unix seconds; for tests
     */
    public function __construct(
        private readonly \PDO $pdo,
        private readonly string $table = 'mfuko_seen',
        private readonly int $leaseSeconds = 300,
        private readonly int $keepSeconds = 604_800,
        ?\Closure $now = null,
    ) {
        if (preg_match('/^[A-Za-z_][\w.]*$/D', $table) !== 1) {
            throw new \InvalidArgumentException("$table is not the name of a table");
        }
        $this->now = $now ?? static fn (): int => time();
    }

    public function createTable(): void
    {
        $columns = '(id varchar(128) primary key, state varchar(8) not null, seen_at bigint not null)';
        $this->run("create table if not exists $this->table $columns", []);
    }

    public function begin(string $id): string
    {
        $now = ($this->now)();
        if (random_int(1, self::SWEEP_EVERY) === 1) {
            $this->run("delete from $this->table where seen_at < ?", [$now - $this->keepSeconds]);
        }
        $columns = "$this->table (id, state, seen_at) values (?, 'busy', ?)";
        $insert = $this->pdo->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql'
            ? "insert ignore into $columns"
            : "insert into $columns on conflict (id) do nothing";
        if ($this->run($insert, [$id, $now])->rowCount() === 1) {
            return self::FIRST;
        }
        $take = "update $this->table set seen_at = ? where id = ? and state = 'busy' and seen_at < ?";
        if ($this->run($take, [$now, $id, $now - $this->leaseSeconds])->rowCount() === 1) {
            return self::FIRST;
        }
        $state = $this->run("select state from $this->table where id = ?", [$id])->fetchColumn();
        // Gone means that somebody has just failed: it comes again.
        return $state === 'done' ? self::DONE : self::BUSY;
    }

    public function done(string $id): void
    {
        $this->run("update $this->table set state = 'done', seen_at = ? where id = ?", [($this->now)(), $id]);
    }

    public function forget(string $id): void
    {
        $this->run("delete from $this->table where id = ? and state = 'busy'", [$id]);
    }

    /** @param list<string|int> $values */
    private function run(string $sql, array $values): \PDOStatement
    {
        // Without exceptions, as an old program may have set it, a failed insert would look like a second delivery.
        $statement = $this->pdo->prepare($sql);
        if ($statement === false || !$statement->execute($values)) {
            throw new \RuntimeException("The table $this->table can't be used: " . implode(' ', $this->pdo->errorInfo()));
        }
        return $statement;
    }
}
