@_exported import LeapSDK
