import Foundation
import Models
import Persistence

/// A session is one conversation's state in a file: its tokens with keys, values and convolution
/// states, and an attachment, the history as a rule. It is bound to the content of the model file.
extension ModelHost {
  /// Writes what the caches hold of a conversation, perhaps nothing, atomically. Waits for the
  /// generations queued before it, but not for the disk: the next one can begin meanwhile.
  ///
  /// - Parameter completion: called on another thread.
  public func saveSession(
    of owner: UInt64, attachment: [UInt8], to path: String,
    completion: @escaping @Sendable (Result<Void, SessionError>) -> Void
  ) {
    let model = model
    let isQueued = thread.submit { engine in
      let snapshot = Result { () throws(SessionError) in
        let requirements = try model.sessionRequirements()
        return try engine.session(of: owner, requirements, attachment, path: path)
      }
      DispatchQueue.global().async {
        completion(
          Result { () throws(SessionError) in
            let snapshot = try snapshot.get()
            // What an earlier save left behind when its process was killed.
            AtomicFile.removeLeftovers(in: FilePath.folder(of: path))
            do throws(SnapshotError) { try snapshot.write(to: path) } catch {
              throw .cannotSave(path: path, error)
            }
          })
      }
    }
    if !isQueued { completion(.failure(.unloaded)) }
  }

  /// Makes a file's state that of a conversation and hands out its attachment.
  ///
  /// - Parameter completion: called on another thread.
  public func restoreSession(
    from path: String, as owner: UInt64,
    completion: @escaping @Sendable (Result<[UInt8], SessionError>) -> Void
  ) {
    let (model, thread) = (model, thread)
    DispatchQueue.global().async {
      let snapshot: Snapshot
      do throws(SessionError) {
        let requirements = try model.sessionRequirements()
        do throws(SnapshotError) {
          snapshot = try Snapshot(path: path, for: requirements)
        } catch {
          throw .cannotRestore(path: path, error)
        }
      } catch { return completion(.failure(error)) }
      let isQueued = thread.submit { engine in
        completion(
          Result { () throws(SessionError) in
            try engine.restore(snapshot, as: owner, path: path)
            return snapshot.attachment
          })
      }
      if !isQueued { completion(.failure(.unloaded)) }
    }
  }

  /// The attachment of a session of any model. Blocks while the file is read.
  public static func sessionAttachment(of path: String) throws(SessionError) -> [UInt8] {
    do { return try SnapshotSummary(path: path).attachment } catch {
      throw .cannotRestore(path: path, error)
    }
  }
}

extension LoadedModel {
  fileprivate func sessionRequirements() throws(SessionError) -> SnapshotRequirements {
    do { return try snapshotRequirements() } catch { throw .model(error) }
  }
}

extension Engine {
  /// What the caches hold of a conversation.
  fileprivate func session(
    of owner: UInt64, _ requirements: SnapshotRequirements, _ attachment: [UInt8], path: String
  ) throws(SessionError) -> Snapshot {
    let last = sequences.last(of: owner)
    do throws(SnapshotError) {
      guard let (sequence, written) = last else {
        return try Snapshot(
          shape: requirements.shape, identity: requirements.identity, tokens: [], isComplete: true,
          attachment: attachment, fill: { _ in })
      }
      // The last token of an answer that was cut off has been delivered, but not evaluated.
      if let written, let token = written.last, written.dropLast().elementsEqual(sequence.tokens),
        sequence.tokens.count < sequence.capacity, !endTokens.contains(token)
      {
        try? sequence.step(token)
      }
      return try sequence.state.snapshot(identity: requirements.identity, attachment: attachment)
    } catch { throw .cannotSave(path: path, error) }
  }

  fileprivate mutating func restore(
    _ snapshot: Snapshot, as owner: UInt64, path: String
  ) throws(SessionError) {
    guard !snapshot.tokens.isEmpty else { return }
    let sequence: EngineSequence
    do { sequence = try self.sequence(toLoadFor: owner) } catch { throw .generation(error) }
    do { try sequence.state.restore(snapshot) } catch { throw .cannotRestore(path: path, error) }
    sequences.setWritten(snapshot.tokens, by: owner)
  }
}
