import Compute
import GGUF
import Models
import Persistence

extension LoadedModel {
  /// The hash of the whole file, which saved states are bound to. Read once, when it is first
  /// needed: as fast as the file is read, so seconds for gigabytes that are not in memory yet; the
  /// first prompt would have read them anyway.
  var fingerprint: ContentHash { identity.hash }

  /// What a saved state must be like to be taken up by this model.
  func snapshotRequirements() throws(ModelError) -> SnapshotRequirements {
    do { try file.checkUnchanged() } catch { throw .file(error) }
    let kernels: KernelVariant
    do { kernels = try options.compute.resolvedKernels() } catch { throw .compute(error) }
    return SnapshotRequirements(
      // BLAS rounds otherwise, so its states would not continue those of the other kernels.
      identity: kernels == .blas ? fingerprint.mixed(with: 1) : fingerprint,
      shape: model.configuration.snapshotShape(options.cacheType), capacity: contextLength)
  }
}
