/// out = (x - mean) / sqrt(variance + eps) * weight + bias. `out` may be `x`.
public func layerNorm(
  _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
  _ count: Int, _ eps: Float, _ out: UnsafeMutablePointer<Float>
) {
  let whole = count & ~15
  var sums = SIMD16<Float>(repeating: 0)
  var i = 0
  while i < whole {
    sums += load16(x + i)
    i += 16
  }
  if whole < count { sums += loadPartial(x + whole, count - whole) }
  let mean = laneSum(sums) / Float(count)

  // A second sweep: squares of the distances lose nothing to a large mean.
  var squares = SIMD16<Float>(repeating: 0)
  i = 0
  while i < whole {
    let distance = load16(x + i) - mean
    squares += distance * distance
    i += 16
  }
  var sum = laneSum(squares)
  while i < count {
    sum = sum + (x[i] - mean) * (x[i] - mean)
    i += 1
  }
  let factor = 1 / (sum / Float(count) + eps).squareRoot()

  i = 0
  while i < whole {
    let value = (load16(x + i) - mean) * factor
    store16(value * load16(weight + i) + load16(bias + i), out + i)
    i += 16
  }
  while i < count {
    out[i] = (x[i] - mean) * factor * weight[i] + bias[i]
    i += 1
  }
}
