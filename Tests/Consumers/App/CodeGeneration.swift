// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels

func useCodeGeneration() throws {
  let text =
    #"{"featureFlags":[{"featureKey":"my-flag"},{"featureKey":"my_flag"},{"featureKey":"2"}]}"#
  let dataFile = try DataFile(parsing: Array(text.utf8))
  let level: SwiftGenerator.Access = .internal
  print(level.rawValue, SwiftGenerator.Access.package == .public)
  let generator = try SwiftGenerator(name: "Flags", access: level)
  let source: GeneratedSource = generator.source(for: dataFile)
  print(generator.name, generator.access, generator.property, source.flagCount, source.text.count)
  print(SwiftGenerator(ofGenerated: Array(source.text.utf8)) == generator)
  do throws(GenerationError) {
    _ = try SwiftGenerator(name: "no name")
  } catch {
    print(error.name, error.description)
  }
  let names = FlagNames(dataFile, namespace: "Flags")
  print(names.methods.map(\.name), names.renamings.count)
  for renaming in source.renamings { use(renaming) }
  useScan(dataFile)
}

private func use(_ renaming: Renaming) {
  let subjects: [Renaming.Subject] = [.flag, .variation, .variable]
  print(subjects.contains(renaming.subject), renaming.flagKey ?? "", renaming.key, renaming.name)
  switch renaming.reason {
  case .taken(let other): print(other)
  case .reserved, .beginsWithDigit, .noLetters, .tooLong: print(renaming.description)
  }
}

private func useScan(_ dataFile: DataFile) {
  var scan = SourceScan(dataFile, namespace: "Flags")
  scan.add(Array("client.getVariation(featureKey: \"my-flag\"); \"2\"".utf8), file: "a.swift")
  let report: ScanReport = scan.report()
  print(report.unused, report.fileCount, report.generatedFiles, report.unknown.count)
  for mention: ScanReport.Mention in report.mentioned {
    print(mention.featureKey, mention.file, mention.line)
  }
  for use: FlagUse in report.uses {
    print(use.file, use.line, use.column, use.call, use.featureKey ?? "", use.variableKey ?? "")
    let verdicts: [FlagUse.Verdict] = [.known, .unknownFlag, .unknownVariable, .cannotBeTold]
    print(verdicts.contains(use.verdict))
  }
}
