<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * One page of a list, and the way to the next.
 *
 * @implements \IteratorAggregate<int, array<string, mixed>>
 */
final class Page implements \IteratorAggregate, \Countable
{
    /**
     * @param list<array<string, mixed>> $items
     * @param string|null $nextCursor for `cursor` of the next page; null on the last one
     * @param \Closure(string): Page $pageAt
     */
    public function __construct(
        public readonly array $items,
        public readonly ?string $nextCursor,
        private readonly \Closure $pageAt,
    ) {
    }

    /**
     * One after the other, over this page and all that follow: `foreach ($shop->payments->list()->each() as $payment)`. However
     * many there are; a cursor that comes a second time would lead in circles, and is an error.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function each(): \Generator
    {
        $seen = [];
        for ($page = $this;; $page = ($this->pageAt)($page->nextCursor)) {
            foreach ($page->items as $item) {
                yield $item;
            }
            if ($page->nextCursor === null) {
                return;
            }
            if (isset($seen[$page->nextCursor])) {
                $message = 'The list does not end: a cursor came a second time';
                throw new MfukoError('unreadable_answer', $message, status: 200);
            }
            $seen[$page->nextCursor] = true;
        }
    }

    /** The items of this page only. */
    public function getIterator(): \ArrayIterator
    {
        return new \ArrayIterator($this->items);
    }

    public function count(): int
    {
        return count($this->items);
    }
}
