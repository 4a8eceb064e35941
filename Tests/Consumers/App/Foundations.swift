// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleHashing

private final class Counter: Sendable {
  private let value = Lock(0)

  nonisolated func increment() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

private struct OwnExecutor: CallbackExecutor {
  func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

func useConcurrency() async throws {
  let counter = Counter()
  for executor in [
    OwnExecutor(), InlineCallbackExecutor(), SerialCallbackExecutor(label: "consumer"),
    SerialCallbackExecutor.platformDefault(label: "consumer"), SerialCallbackExecutor.main,
  ] as [any CallbackExecutor] {
    executor.execute { _ = counter.increment() }
  }
  print(NonceGenerator().next() != NonceGenerator(seed: 1).next())
  let random = RandomSource(seed: 1)
  print(
    random.next() < 1, random.duration(in: .seconds(1)...(.seconds(2))), RandomSource().next() < 1)
  var generator = SplitMix64(seed: 1)
  print(generator.next(), Int.random(in: 0..<5, using: &generator))

  print(
    WallClock.system.milliseconds > 0, WallClock.coarse.milliseconds > 0,
    WallClock { 1_500 }.seconds, Duration.seconds(1).wholeMilliseconds)
  let wall = ManualWallClock(milliseconds: 1_000)
  wall.advance(by: .seconds(1))
  wall.milliseconds += 1
  print(wall.clock.milliseconds)

  let clock = ManualClock()
  let source = TimeSource(clock)
  async let sleeping: Void = source.sleep(for: .seconds(5))
  await clock.untilSleeping()
  await clock.untilSleeping(count: 1)
  print(clock.sleeperCount, clock.nextDeadline?.description ?? "none", clock.minimumResolution)
  clock.advance(by: .seconds(5))
  try await sleeping
  try await source.sleep(until: .zero)
  try await clock.sleep(until: ManualClock.Instant(offset: .zero))
  print(source.now, TimeSource.continuous.now >= .zero, clock.now.offset)
  print(clock.now.advanced(by: .seconds(1)).duration(to: clock.now), clock.now < clock.now)
}

func useHashing() {
  print(SHA256.digest(of: Array("abc".utf8)).count)
  let suffix = HashSuffix(id: 12, respoolTime: 3)
  var bytes = HashSuffix(group: "group").bytes
  HashSuffix.append(id: 12, to: &bytes)
  print(suffix.bytes, bytes, BucketHash.value(key: "visitor", suffix: suffix))
  Array("visitor".utf8).withUnsafeBufferPointer { key in
    suffix.bytes.withUnsafeBufferPointer { suffix in
      let bits = BucketHash.bits(key: key, suffix: suffix)
      print(BucketHash.value(bits: bits) == BucketHash.value(key: key, suffix: suffix))
      print(BucketHash.values(key: key, first: suffix, second: suffix))
    }
  }
  print(Split.index(of: 0.7, in: [0.5, 0.5]) ?? -1, Split.partition(of: 0.7, into: 3))
  print(Split.index(of: 0.7, count: 2) { _ in 0.5 } ?? -1)
}
