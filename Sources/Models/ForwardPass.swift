import Compute
import Foundation

/// One step of a model over a batch of rows: the buffers, and the pass itself in extensions.
///
/// A row is one token of one sequence; a segment is a run of rows of the same sequence. The owner
/// lists rows and segments, then all members of a thread team call `run` together.
final class ForwardPass: @unchecked Sendable {
  // Unchecked: members write disjoint parts of the buffers, ordered by the team's barriers; the
  // owner touches the fields only between runs.
  let model: Model
  let compute: Compute
  let epsilon: Float
  /// Widths: model, all query heads, feed-forward.
  let d: Int
  let queryLength: Int
  let f: Int

  // The batch at hand.
  private(set) var rowCount = 0
  private(set) var segmentCount = 0
  private(set) var outputCount = 0
  private(set) var isReplay = false
  /// Asked between blocks; nil never stops. Set and cleared by the owner around a run.
  var shouldContinue: (() -> Bool)?
  /// Rows that want logits get their last norm only.
  var skipsLogits = false
  /// Keeps the time while it is there.
  var profile: PassProfile?
  /// The last run left early: its rows are in no state.
  var wasStopped = false
  let tokens: AlignedBuffer<Int32>  // (rows)
  /// What stands in place of the embedding of a negative token, (d) each.
  let embeddings: AlignedBuffer<UnsafePointer<Float>?>  // (rows)
  let positions: AlignedBuffer<Int32>  // (rows)
  let segmentOfRow: AlignedBuffer<Int32>  // (rows)
  let outputRows: AlignedBuffer<Int32>  // (rows), the first `outputCount` count
  let segments: AlignedBuffer<Segment>  // (rows)
  /// The panels of the output matrix that are wanted, ascending; in use while `isSelecting`.
  let selectedPanels: AlignedBuffer<Int32>
  var selectedCount = 0
  var isSelecting = false

  // Activations.
  let residual: AlignedBuffer<Float>  // (rows, d)
  let hidden: Activations  // (rows, d)
  let projections: AlignedBuffer<Float>  // (rows, projectionStride)
  let projectionStride: Int
  let projected: AlignedBuffer<Float>  // (rows, d)
  let gate: AlignedBuffer<Float>  // (rows, f), or (rows · used, e) in the expert blocks
  let attended: Activations  // (rows, queryLength)
  let convolved: Activations  // (rows, d)
  let inner: Activations  // (rows, f)
  let experts: ExpertBuffers?
  let rope: RopeTables

  // Results.
  private var logitsBuffer: AlignedBuffer<Float>  // (requested rows, vocabulary)
  private var logitsRows = 0
  private var firstLogitsRow = 0

  init(
    model: Model, variant: KernelVariant, members: Int, rows: Int
  ) throws(ComputeError) {
    let configuration = model.configuration
    self.model = model
    epsilon = configuration.normEpsilon
    d = configuration.embeddingLength
    queryLength = configuration.queryLength
    f = configuration.feedForwardLength
    let kvLength = (configuration.keyValueHeadCounts.max() ?? 0) * configuration.headDimension
    let smallestGroupCount = configuration.keyValueHeadCounts.filter { $0 > 0 }.min() ?? 1
    let widestGroup = configuration.headCount / smallestGroupCount
    compute = try Compute(
      variant: variant, members: members,
      widest: max(d, queryLength, f, configuration.expertFeedForwardLength),
      attentionScratch: widestGroup * configuration.contextLength)

    tokens = try AlignedBuffer(count: rows)
    embeddings = try AlignedBuffer(count: rows)
    positions = try AlignedBuffer(count: rows)
    segmentOfRow = try AlignedBuffer(count: rows)
    outputRows = try AlignedBuffer(count: rows)
    segments = try AlignedBuffer(count: rows)
    selectedPanels = try AlignedBuffer(
      count: configuration.vocabularySize / Compute.panelRows / 2)

    residual = try AlignedBuffer(count: rows * d)
    hidden = try Activations(rows: rows, columns: d)
    projectionStride = max(
      queryLength + 2 * kvLength, configuration.convolutionLayerCount > 0 ? 3 * d : 0)
    // What is never alive at the same time shares its memory: the results of products here, the
    // inputs of the last product of a block there.
    let slots = rows * configuration.expertUsedCount
    let e = configuration.expertFeedForwardLength
    projections = try AlignedBuffer(count: max(rows * max(projectionStride, f, d), slots * e))
    projected = projections
    gate = projections
    let inputs = try Activations(
      rows: rows, columns: max(f, queryLength, d, configuration.expertUsedCount * e))
    attended = Activations(sharing: inputs, columns: queryLength)
    convolved = Activations(sharing: inputs, columns: d)
    inner = Activations(sharing: inputs, columns: f)
    let expertInner = Activations(sharing: inputs, columns: e)
    experts =
      configuration.expertCount > 0
      ? try ExpertBuffers(configuration, rows: rows, gate: gate, inner: expertInner) : nil
    rope = try RopeTables(model, rows: rows)
    logitsBuffer = try AlignedBuffer(count: 0)
  }

  /// The rows of logits since `reserveLogits`.
  var logits: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(
      start: logitsBuffer.pointer, count: logitsRows * model.configuration.vocabularySize)
  }

  /// The last norm of the last row that wanted logits.
  var lastHidden: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: hidden.row(max(0, outputCount - 1)), count: d)
  }

  /// Where the logits of output `index` of this step go.
  func logitsRow(_ index: Int) -> UnsafeMutablePointer<Float> {
    logitsBuffer.pointer + (firstLogitsRow + index) * model.configuration.vocabularySize
  }

  /// Makes room for the logits of the coming steps and forgets earlier ones.
  func reserveLogits(rows: Int) throws(ComputeError) {
    let needed = rows * model.configuration.vocabularySize
    if logitsBuffer.count < needed { logitsBuffer = try AlignedBuffer(count: needed) }
    logitsRows = 0
    outputCount = 0
  }

  /// Starts listing the rows of a step.
  func begin(replaying: Bool = false) {
    rowCount = 0
    segmentCount = 0
    outputCount = 0
    firstLogitsRow = logitsRows
    isReplay = replaying
    wasStopped = false
  }

  /// Lists one more row; a segment must follow that covers it.
  ///
  /// - Parameter embedding: (d), for a negative token.
  func addRow(_ token: Int32, embedding: UnsafePointer<Float>? = nil, wantsLogits: Bool) {
    tokens.pointer[rowCount] = token
    embeddings.pointer[rowCount] = embedding
    if wantsLogits {
      outputRows.pointer[outputCount] = Int32(truncatingIfNeeded: rowCount)
      outputCount += 1
      if !skipsLogits { logitsRows += 1 }
    }
    rowCount += 1
  }

  /// Says that the last `rows` rows belong to `sequence`, from its end or from `position` on.
  ///
  /// - Parameter keepsTrail: notes the convolutions' inputs in the sequence's trails.
  func addSegment(
    _ sequence: SequenceState, rows: Int, from position: Int? = nil, keepsTrail: Bool = false
  ) {
    let start = position ?? sequence.count
    let first = rowCount - rows
    segments.pointer[segmentCount] = Segment(
      layers: UnsafePointer(sequence.layers.pointer), capacity: sequence.capacity,
      isHalf: sequence.cacheType == .f16, firstRow: first, rowCount: rows, keepsTrail: keepsTrail)
    for row in 0..<rows {
      positions.pointer[first + row] = Int32(truncatingIfNeeded: start + row)
      segmentOfRow.pointer[first + row] = Int32(truncatingIfNeeded: segmentCount)
    }
    segmentCount += 1
  }
}

/// A run of rows of one sequence.
struct Segment: BitwiseCopyable {
  var layers: UnsafePointer<LayerState>
  var capacity: Int
  var isHalf: Bool
  var firstRow: Int
  var rowCount: Int
  var keepsTrail: Bool
}
