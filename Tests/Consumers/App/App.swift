// SPDX-License-Identifier: Apache-2.0

// An application that uses every public declaration of every package. It is built in Swift 6 mode with the
// main actor as default isolation, as Xcode sets up new applications.

@main
struct App {
  static func main() async throws {
    try await useConcurrency()
    useHashing()
    try useModels()
    try useCodeGeneration()
    try useTargeting()
    try useEvaluation()
    try await useAnalysis()
    try await useNetworking()
    try await useStorage()
    try await useTracking()
    try await useEmulator()
    try await useClient()
    try await useTesting()
    try await useRemoteFlags()
    usePushwoosh()
    print("the consumer runs")
  }
}
