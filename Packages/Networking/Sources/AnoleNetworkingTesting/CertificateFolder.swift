// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc

  /// An authority for one test and its certificates, in a folder of their own; made by the `openssl` command.
  ///
  /// Test support. Certificates are valid for two days. Making them blocks the calling thread.
  public struct CertificateFolder: Sendable {
    /// A run of the `openssl` command that failed, or a file that could not be written.
    public struct Failure: Error, CustomStringConvertible {
      /// What was tried.
      public let description: String
    }

    /// Whether there is an `openssl` command.
    public static let isAvailable = ChildProcess.run(["openssl", "version"])

    private static let suffixes = [".key", ".pem", ".csr", ".cnf"]

    /// The folder.
    ///
    /// A certificate lies in `NAME.pem`, its key in `NAME.key`.
    public let path: String

    /// The file of the authority that signs all certificates but the self-signed ones.
    public var authority: String { path + "/ca.pem" }

    /// Makes the folder and the authority.
    ///
    /// - Throws: ``Failure``.
    public init() throws {
      var template = Array("/tmp/anole-tls-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw Failure(description: "no folder under /tmp") }
      path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      try makeKey("ca")
      try openssl(
        "req", "-x509", "-key", "ca.key", "-subj", "/CN=Anole test authority", "-days", "2", "-out",
        "ca.pem")
    }

    /// Removes the folder with all that is in it.
    public func remove() {
      _ = ChildProcess.run(["rm", "-rf", path])
    }

    /// Makes a certificate and its key.
    ///
    /// - Parameters:
    ///   - name: The name of the files and of the subject.
    ///   - alternativeName: For whom it is, such as `IP:127.0.0.1,DNS:localhost`.
    ///   - isExpired: True for one that was valid in January of 2020.
    ///   - selfSigned: True for one that the authority has not signed.
    /// - Throws: ``Failure``.
    public func make(
      _ name: String, alternativeName: String, isExpired: Bool = false, selfSigned: Bool = false
    ) throws {
      try makeKey(name)
      if selfSigned {
        try openssl(
          "req", "-x509", "-key", "\(name).key", "-subj", "/CN=\(name)", "-addext",
          "subjectAltName=\(alternativeName)", "-days", "2", "-out", "\(name).pem")
        return
      }
      try openssl(
        "req", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-addext",
        "subjectAltName=\(alternativeName)", "-out", "\(name).csr")
      if isExpired { return try signExpired(name) }
      try openssl(
        "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-copy_extensions", "copy", "-set_serial", "7", "-days", "2", "-out", "\(name).pem")
    }

    /// Signs with dates in the past, which only the `ca` command can write.
    private func signExpired(_ name: String) throws {
      let text = """
        [ca]
        default_ca = test
        [test]
        database = \(path)/index.txt
        new_certs_dir = \(path)
        rand_serial = yes
        default_md = sha256
        policy = any
        copy_extensions = copy
        [any]
        commonName = supplied
        """
      try Self.write(text, to: path + "/ca.cnf")
      try Self.write("", to: path + "/index.txt")
      try openssl(
        "ca", "-batch", "-notext", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key",
        "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-in", "\(name).csr",
        "-out", "\(name).pem")
    }

    /// Writes a new file that is for its owner only.
    package static func write(_ text: String, to path: String) throws {
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      guard descriptor >= 0 else { throw Failure(description: "cannot make \(path)") }
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
        throw Failure(description: "cannot write \(path)")
      }
    }

    private func makeKey(_ name: String) throws {
      try openssl(
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(name).key")
    }

    /// Runs the command; names of files are made absolute.
    private func openssl(_ arguments: String...) throws {
      let resolved = arguments.map { argument in
        Self.suffixes.contains { argument.hasSuffix($0) } ? "\(path)/\(argument)" : argument
      }
      guard ChildProcess.run(["openssl"] + resolved) else {
        throw Failure(description: "openssl \(resolved.joined(separator: " ")) failed")
      }
    }
  }
#endif
