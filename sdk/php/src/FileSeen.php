<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * In a folder of this computer: one small file for each notification. Who works on one holds the lock of its file, which
 * the system takes back from a process that dies. For a shop on several computers there is PdoSeen.
 */
final class FileSeen implements Seen
{
    private const DONE_MARK = 'done';
    /** One of so many looks for files that are too old. */
    private const SWEEP_EVERY = 100;
    private const SWEEP_MOST = 1_000;

    /** @var array<string, resource> what this process works on, with its lock */
    private array $held = [];

    /**
     * @param string $folder made when it isn't there; not one that the web server hands out
     * @param int $keepSeconds a week: the last attempt is made after 75 hours, and a person can replay one
     */
    public function __construct(private readonly string $folder, private readonly int $keepSeconds = 604_800)
    {
        if (!is_dir($folder) && !@mkdir($folder, 0o700, true) && !is_dir($folder)) {
            throw new \RuntimeException("$folder can't be made: give FileSeen a folder that PHP may write to");
        }
    }

    public function begin(string $id): string
    {
        if (random_int(1, self::SWEEP_EVERY) === 1) {
            $this->sweep();
        }
        $path = $this->pathOf($id);
        $file = @fopen($path, 'c+');
        if ($file === false) {
            throw new \RuntimeException("$path can't be written: give FileSeen a folder that PHP may write to");
        }
        if (isset($this->held[$id]) || !flock($file, LOCK_EX | LOCK_NB)) {
            fclose($file);
            return self::BUSY;
        }
        // The sweep of another process may have removed it between the two steps: then the lock guards nothing.
        clearstatcache(true, $path);
        if ((fstat($file)['ino'] ?? 0) !== @fileinode($path)) {
            fclose($file);
            return self::BUSY;
        }
        if (stream_get_contents($file) === self::DONE_MARK && time() - fstat($file)['mtime'] < $this->keepSeconds) {
            fclose($file);
            return self::DONE;
        }
        ftruncate($file, 0);
        touch($path);
        $this->held[$id] = $file;
        return self::FIRST;
    }

    public function done(string $id): void
    {
        $file = $this->held[$id] ?? throw new \LogicException('done without begin');
        rewind($file);
        if (fwrite($file, self::DONE_MARK) !== strlen(self::DONE_MARK) || !fflush($file)) {
            throw new \RuntimeException("{$this->pathOf($id)} can't be written");
        }
        $this->forget($id);
    }

    /** The file stays: to remove it could take it from somebody who has just opened it. */
    public function forget(string $id): void
    {
        if (isset($this->held[$id])) {
            fclose($this->held[$id]);
            unset($this->held[$id]);
        }
    }

    private function sweep(): void
    {
        $count = 0;
        foreach (new \DirectoryIterator($this->folder) as $entry) {
            if (++$count > self::SWEEP_MOST) {
                return;
            }
            $isOld = $entry->isFile() && $entry->getExtension() === 'seen'
                && time() - $entry->getMTime() > $this->keepSeconds;
            $file = $isOld ? @fopen($entry->getPathname(), 'r') : false;
            if ($file === false) {
                continue;
            }
            if (flock($file, LOCK_EX | LOCK_NB)) {
                @unlink($entry->getPathname());
            }
            fclose($file);
        }
    }

    /** An id is somebody else's text: as a name of a file it is hashed. */
    private function pathOf(string $id): string
    {
        return $this->folder . '/' . hash('sha256', $id) . '.seen';
    }
}
