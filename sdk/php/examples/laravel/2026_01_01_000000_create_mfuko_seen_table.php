<?php

declare(strict_types=1);

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

/** The table of Mfuko\PdoSeen. */
return new class () extends Migration {
    public function up(): void
    {
        Schema::create('mfuko_seen', function (Blueprint $table): void {
            $table->string('id', 128)->primary();
            $table->string('state', 8);
            $table->bigInteger('seen_at');
        });
    }

    public function down(): void
    {
        Schema::drop('mfuko_seen');
    }
};
